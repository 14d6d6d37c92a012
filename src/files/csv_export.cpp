// Which CSV files are made from a run, what stands in them, and that they appear whole.
#include "files/csv_export.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "files/file_place.hpp"
#include "files/netcdf_disk.hpp"
#include "files/netcdf_stream.hpp"
#include "files/read_run.hpp"
#include "files/stan_csv.hpp"
#include "files/stan_csv_file.hpp"
#include "files/unfinished_file.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

/// Our options under the names that Stan's tools know.
constexpr std::array<std::pair<const char*, const char*>, 9> kStanWords = {{
    {"target-accept", "delta"},
    {"averaging-gamma", "gamma"},
    {"averaging-kappa", "kappa"},
    {"averaging-t0", "t0"},
    {"window-start", "init_buffer"},
    {"window-end", "term_buffer"},
    {"window-base", "window"},
    {"max-depth", "max_depth"},
    {"step", "stepsize"},
}};

/// "2025-01-31T12:00:00+00:00" as Stan writes it.
std::string stan_datetime(std::string text) {
  constexpr std::string_view zone = "+00:00";
  if (!text.ends_with(zone)) return text;
  text.replace(text.size() - zone.size(), zone.size(), " UTC");
  const auto between = text.find('T');
  if (between != std::string::npos) text[between] = ' ';
  return text;
}

/// Warm-up may have ended before its most, which a run that has not ended does not say.
Index warmup_done(const RunFacts& facts, Index rows) {
  const Index kept = rows * facts.thin;
  return rows > 0 && kept + facts.thin <= facts.warmup ? kept : facts.warmup;
}

StanCsvHeader make_header(const NetcdfStream& run, const CsvOptions& options) {
  StanCsvHeader header;
  header.names = run.names();
  header.statistics = run.statistics();
  header.facts = run.facts();
  const Index warmup_rows = run.rows(Phase::warmup);
  header.facts.warmup = warmup_done(header.facts, warmup_rows);
  header.save_warmup = warmup_rows > 0;
  header.significant_digits = options.significant_digits;
  header.start_datetime = stan_datetime(run.created_at());
  for (const auto& [ours, stans] : kStanWords) {
    const auto found = header.facts.settings.find(ours);
    if (found != header.facts.settings.end()) header.stan_settings[stans] = found->second;
  }
  return header;
}

/// Stan's files know three forms of the inverse mass. Other forms are written in full while that is
/// small, or no larger than what they hold, and above that as their variances.
Metric stan_form(const Factor& factor) {
  if (!is_correlated(factor.kind())) return factor.kind();
  constexpr std::size_t kSmall = 500 * 500;
  std::size_t held = 0;
  for (const NamedArray& part : factor.parts()) held += part.values.size();
  const auto full = static_cast<std::size_t>(factor.dim() * factor.dim());
  return full <= std::max(kSmall, held) ? Metric::dense : Metric::diag;
}

void write_adaptation(StanCsvWriter& writer, const Tuning& tuning) {
  const Factor& factor = tuning.factor();
  const Metric form = stan_form(factor);
  if (form == Metric::unit) {
    writer.adaptation_unit(tuning.step);
  } else if (form == Metric::diag) {
    writer.adaptation_diagonal(tuning.step, factor.covariance_diagonal());
  } else {
    writer.adaptation_dense(tuning.step, factor.covariance());
  }
}

void check_csv_place(const std::string& path, bool overwrite) {
  if (path.find_first_of("\n\r") != std::string::npos) {
    throw UsageError(fmt::format("file name {:?} holds a line break", path));
  }
  check_place(path, overwrite);
  check_regular(path);
}

/// Whether the file that has the name is of this run and chain, from an earlier stop. Not by the
/// time at which the run began: one that goes on from before its first row begins its file anew.
bool is_of_this_run(const StanCsvHeader& header) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(header.file, ignored)) return false;
  const StanCsvComments there = read_stan_csv_comments(header.file);
  const RunFacts facts = there.facts();
  return there.written_by_gadwall() && facts.target == header.facts.target &&
         facts.sampler == header.facts.sampler && facts.seed == header.facts.seed &&
         facts.settings == header.facts.settings &&
         there.number({"id"}) == static_cast<std::uint64_t>(header.chain) &&
         there.number({"num_chains"}) == static_cast<std::uint64_t>(header.facts.chains);
}

/// One file while it is made, under another name.
struct Unfinished {
  std::string path;
  bool overwrite = false;
  std::string temporary;
};

class CsvExport {
 public:
  CsvExport(const std::string& netcdf, const CsvOptions& options)
      : options_(options),
        run_(netcdf),
        header_(make_header(run_, options)),
        learnt_(run_.learnt()),
        costs_(run_.chain_costs()) {}
  ~CsvExport() {
    for (const Unfinished& file : files_) ::unlink(file.temporary.c_str());
  }
  CsvExport(const CsvExport&) = delete;
  CsvExport& operator=(const CsvExport&) = delete;

  std::vector<std::string> write() {
    for (Index c = 0; c < run_.chains(); ++c) reserve(c);
    for (Index c = 0; c < run_.chains(); ++c) write_chain(c);
    std::vector<std::string> paths;
    for (const Unfinished& file : files_) {
      take_name(file.temporary, file.path, file.overwrite);
      paths.push_back(file.path);
    }
    return paths;
  }

 private:
  void set_chain(Index chain) {
    header_.chain = chain + 1;
    header_.file = chain_path(options_.name, header_.chain);
  }

  void reserve(Index chain) {
    set_chain(chain);
    const bool overwrite = options_.overwrite || is_of_this_run(header_);
    check_csv_place(header_.file, overwrite);
    files_.push_back({header_.file, overwrite, ""});
  }

  /// What the lanes of the chain's batch learnt; null where the file does not hold it.
  const Tuning* tuning(Index chain) const {
    const auto batch = static_cast<std::size_t>(chain / std::max<Index>(1, header_.facts.lanes));
    return batch < learnt_.size() ? &learnt_[batch].tuning : nullptr;
  }

  void write_chain(Index chain) {
    set_chain(chain);
    const Tuning* learnt = tuning(chain);
    header_.metric = learnt != nullptr ? stan_form(learnt->factor()) : Metric::unit;
    const UnfinishedFile made(resolve_links(header_.file));
    if (!made.exists()) {
      throw UsageError(
          fmt::format("{}: cannot be created: {}", header_.file, std::strerror(errno)));
    }
    files_[static_cast<std::size_t>(chain)].temporary = made.path();
    StanCsvWriter writer(made.path(), header_);
    const Index step_column = find_statistic(header_.statistics, "step");
    bool adapted = false;
    const auto take = [&](const ChainBlock& block) {
      if (!block.warmup && !std::exchange(adapted, true)) {
        learnt != nullptr ? write_adaptation(writer, *learnt)
                          : writer.adaptation_unit(block.statistics(step_column, 0));
      }
      for (Index i = 0; i < block.count; ++i) {
        writer.draw(block.statistics.col(i), block.values.col(i));
      }
    };
    run_.read(Phase::warmup, chain, take);
    run_.read(Phase::sampling, chain, take);
    if (run_.is_finished()) writer.costs(cost_of(chain), header_.facts.seconds);
    writer.finish();
  }

  /// Files of earlier versions have the sums alone: each chain an equal share.
  MeasuredFacts cost_of(Index chain) const {
    if (chain < static_cast<Index>(costs_.size())) return costs_[static_cast<std::size_t>(chain)];
    const auto count = static_cast<std::uint64_t>(run_.chains());
    const auto share = [&](std::uint64_t sum) {
      return sum / count + (static_cast<std::uint64_t>(chain) < sum % count ? 1 : 0);
    };
    MeasuredFacts cost;
    const RunFacts& all = header_.facts;
    const auto chains = static_cast<double>(count);
    cost.seconds = {all.seconds.warmup / chains, all.seconds.sampling / chains};
    cost.gradients = {share(all.gradients.warmup), share(all.gradients.sampling)};
    cost.densities = {share(all.densities.warmup), share(all.densities.sampling)};
    cost.bad_points = share(all.bad_points);
    return cost;
  }

  CsvOptions options_;
  NetcdfStream run_;
  StanCsvHeader header_;
  std::vector<Learnt> learnt_;
  std::vector<MeasuredFacts> costs_;
  std::vector<Unfinished> files_;
};

}  // namespace

std::string chain_path(const std::string& name, Index chain) {
  return fmt::format("{}_{}.csv", name, chain);
}

void check_csv_places(const std::string& name, Index chains, bool overwrite) {
  for (Index c = 1; c <= chains; ++c) check_csv_place(chain_path(name, c), overwrite);
}

std::vector<std::string> export_csv(const std::string& run, const CsvOptions& options) {
  const std::string netcdf = netcdf_path(run);
  if (netcdf.empty()) {
    const std::string seen =
        run.ends_with(".csv") ? "is Stan CSV already" : fmt::format("there is no {}.nc", run);
    throw UsageError(fmt::format("{}: {}, expected a run: NAME or NAME.nc", run, seen));
  }
  CsvOptions named = options;
  if (named.name.empty()) named.name = run_name(netcdf);
  return CsvExport(netcdf, named).write();
}

}  // namespace gadwall::files
