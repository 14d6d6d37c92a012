// Creates a NetCDF draws file, extends it and closes it.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "files/file_place.hpp"
#include "files/netcdf_arrays.hpp"
#include "files/netcdf_disk.hpp"
#include "files/netcdf_driver.hpp"
#include "files/netcdf_facts.hpp"
#include "files/netcdf_parts.hpp"
#include "files/netcdf_remote.hpp"
#include "files/netcdf_section.hpp"
#include "files/netcdf_shape.hpp"
#include "files/unfinished_file.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
class NetcdfWriter::Implementation {
 public:
  Implementation(const std::string& path, const NetcdfSchema& schema, bool overwrite);
  Implementation(const std::string& path, Index warmup_rows, Index draw_rows,
                 const NetcdfRunShape& shape,
                 JournaledFile::Mode mode = JournaledFile::Mode::write);
  ~Implementation();
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  void append(Phase phase, Index chain, const DrawBlock& block);
  void flush();
  void describe(const RunFacts& facts);
  void adapted(Index batch, const Tuning& tuning);
  void finish(const RunFacts& facts, const std::vector<Learnt>& learnt,
              const std::vector<MeasuredFacts>& chains);
  Index rows(Phase phase) const { return phase == Phase::warmup ? warmup_rows_ : draw_rows_; }
  const std::string& path() const { return path_; }

 private:
  void create(const NetcdfSchema& schema);
  void take_its_name();
  void open_sections(Index warmup_rows, Index draw_rows);
  void close() noexcept;
  template <class Work>
  void guarded(Work work);

  std::string path_;
  std::shared_ptr<JournaledFile> file_;  // HDF5 owns it too
  bool overwrite_ = false;
  std::optional<UnfinishedFile> unfinished_;  // until the file has its name
  Hdf5Id root_;
  std::optional<NetcdfSection> warmup_;
  std::optional<NetcdfSection> sampling_;
  Index warmup_rows_ = 0;
  Index draw_rows_ = 0;
};

/// Holds the lock and gives HDF5's errors the name of the file.
template <class Work>
void NetcdfWriter::Implementation::guarded(Work work) {
  const Hdf5Session session;
  try {
    work();
  } catch (const Hdf5Error& error) {
    throw RunError(fmt::format("{}: cannot be written: {}", path_, error.what()));
  }
}

NetcdfWriter::Implementation::Implementation(const std::string& path, const NetcdfSchema& schema,
                                             bool overwrite)
    : path_(path), overwrite_(overwrite) {
  check_arrays(schema.data.constant);
  check_arrays(schema.data.observed);
  check_place(path, overwrite);
  check_regular(path);
  JournaledFile::recover(path);  // a journal must not meet another file
  unfinished_.emplace(resolve_links(path));
  if (!unfinished_->exists()) {
    throw UsageError(fmt::format("{}: cannot be created: {}", path, std::strerror(errno)));
  }
  try {
    guarded([&] {
      file_ = std::make_shared<JournaledFile>(unfinished_->path(), JournaledFile::Mode::write);
      file_->await_name(path_);
      create(schema);
    });
  } catch (...) {
    close();
    throw;
  }
}

/// The first flush: from here on there is a file of that name.
void NetcdfWriter::Implementation::take_its_name() {
  unfinished_->unlock();
  take_name(unfinished_->path(), path_, overwrite_);
  file_->got_name();
  unfinished_.reset();
}

void NetcdfWriter::Implementation::create(const NetcdfSchema& schema) {
  const Hdf5Id access(journaled_access(*file_), "a property list");
  const Hdf5Id order = in_creation_order(H5P_FILE_CREATE);
  root_ = {H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, order, access), "the file"};
  write_origin(root_);
  write_facts(root_, schema.facts, false);
  for (const auto& [name, value] : schema.attributes) write_attribute(root_, name, value);
  sampling_ = NetcdfSection::create(root_, Phase::sampling, schema);
  if (schema.save_warmup) warmup_ = NetcdfSection::create(root_, Phase::warmup, schema);
  write_arrays(root_, kConstantData, schema.data.constant);
  write_arrays(root_, kObservedData, schema.data.observed);
}

NetcdfWriter::Implementation::Implementation(const std::string& path, Index warmup_rows,
                                             Index draw_rows, const NetcdfRunShape& shape,
                                             JournaledFile::Mode mode)
    : path_(path) {
  guarded([&] {
    file_ = std::make_shared<JournaledFile>(path, mode);
    const Hdf5Id access(journaled_access(*file_), "a property list");
    const hid_t opened = H5Fopen(path.c_str(), H5F_ACC_RDWR, access);
    if (opened < 0) throw UsageError(fmt::format("{}: is no NetCDF-4 file, or is damaged", path));
    root_ = {opened, "the file"};
    if (read_text(root_, "inference_library") != "gadwall") {
      throw UsageError(fmt::format("{}: was not written by gadwall; it cannot be extended", path));
    }
    haddr_t end = 0;
    require(H5Fget_eoa(root_, &end), "the end of the file");
    file_->forget_beyond(end);
    require_shape(root_, path_, shape);
    open_sections(warmup_rows, draw_rows);
  });
}

void NetcdfWriter::Implementation::open_sections(Index warmup_rows, Index draw_rows) {
  const bool has_warmup = has_link(root_, values_group(Phase::warmup));
  require_rows(root_, path_, Phase::sampling, draw_rows);
  if (has_warmup) require_rows(root_, path_, Phase::warmup, warmup_rows);
  write_attribute(root_, "finished", std::int64_t{0});
  sampling_ = NetcdfSection::open(root_, Phase::sampling, draw_rows);
  draw_rows_ = draw_rows;
  if (!has_warmup) return;
  warmup_ = NetcdfSection::open(root_, Phase::warmup, warmup_rows);
  warmup_rows_ = warmup_rows;
}

NetcdfWriter::Implementation::~Implementation() {
  try {
    flush();
  } catch (const std::exception&) {  // a destructor cannot report it; flush() has or would have
  }
  close();
}

/// Datasets before the file, the file before what it is written to. What is not committed is lost.
void NetcdfWriter::Implementation::close() noexcept {
  const Hdf5Session session;
  warmup_.reset();
  sampling_.reset();
  root_ = Hdf5Id();
  file_.reset();
  if (unfinished_) ::unlink(unfinished_->path().c_str());
  unfinished_.reset();
}

void NetcdfWriter::Implementation::append(Phase phase, Index chain, const DrawBlock& block) {
  std::optional<NetcdfSection>& section = phase == Phase::warmup ? warmup_ : sampling_;
  if (!section) return;
  guarded([&] {
    if (const int error = file_->error(); error != 0) {
      throw RunError(fmt::format("{}: cannot be written: {}", path_, std::strerror(error)));
    }
    section->append(chain, block);
  });
}

void NetcdfWriter::Implementation::flush() {
  if (!file_) return;
  guarded([&] {
    if (!unfinished_) file_->require_untouched();
    if (warmup_) warmup_->write_rest();
    if (sampling_) sampling_->write_rest();
    require(H5Fflush(root_, H5F_SCOPE_LOCAL), "a flush");
    file_->commit();
    if (unfinished_) take_its_name();
    file_->require_untouched();
  });
  if (warmup_) warmup_rows_ = warmup_->rows();
  if (sampling_) draw_rows_ = sampling_->rows();
}

void NetcdfWriter::Implementation::describe(const RunFacts& facts) {
  guarded([&] { write_facts(root_, facts, false); });
}

void NetcdfWriter::Implementation::adapted(Index batch, const Tuning& tuning) {
  guarded([&] { write_adapted(root_, batch, tuning); });
}

void NetcdfWriter::Implementation::finish(const RunFacts& facts, const std::vector<Learnt>& learnt,
                                          const std::vector<MeasuredFacts>& chains) {
  guarded([&] {
    write_facts(root_, facts, true);
    write_learnt(root_, learnt);
    write_chain_costs(root_, chains);
    write_stages(root_, facts.stages);
    const Hdf5Id group(H5Gopen2(root_, values_group(Phase::sampling).c_str(), H5P_DEFAULT),
                       "posterior");
    write_attribute(group, "sampling_time", facts.seconds.sampling);
    write_attribute(group, "tuning_steps", static_cast<std::int64_t>(facts.warmup));
  });
  flush();
  close();
}

NetcdfWriter::NetcdfWriter(const std::string& path, const NetcdfSchema& schema, bool overwrite)
    : implementation_(std::make_unique<Implementation>(path, schema, overwrite)) {}

NetcdfWriter::NetcdfWriter(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}

NetcdfWriter NetcdfWriter::reopen(const std::string& path, Index warmup_rows, Index draw_rows,
                                  const NetcdfRunShape& shape) {
  JournaledFile::recover(path);
  try_out(path, [&] {
    Implementation copy(path, warmup_rows, draw_rows, shape, JournaledFile::Mode::try_out);
    copy.finish({}, {}, {});
  });
  return NetcdfWriter(std::make_unique<Implementation>(path, warmup_rows, draw_rows, shape));
}

NetcdfWriter::~NetcdfWriter() = default;
NetcdfWriter::NetcdfWriter(NetcdfWriter&&) noexcept = default;
NetcdfWriter& NetcdfWriter::operator=(NetcdfWriter&&) noexcept = default;

void NetcdfWriter::append(Phase phase, Index chain, const DrawBlock& block) {
  implementation_->append(phase, chain, block);
}
void NetcdfWriter::flush() {
  implementation_->flush();
}
void NetcdfWriter::describe(const RunFacts& facts) {
  implementation_->describe(facts);
}
void NetcdfWriter::adapted(Index batch, const Tuning& tuning) {
  implementation_->adapted(batch, tuning);
}
void NetcdfWriter::finish(const RunFacts& facts, const std::vector<Learnt>& learnt,
                          const std::vector<MeasuredFacts>& chains) {
  implementation_->finish(facts, learnt, chains);
}
Index NetcdfWriter::rows(Phase phase) const {
  return implementation_->rows(phase);
}
const std::string& NetcdfWriter::path() const {
  return implementation_->path();
}

void skip_hdf5_cleanup_at_exit() {
  H5dont_atexit();
}

}  // namespace gadwall::files
