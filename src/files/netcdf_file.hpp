// The draws of a run as one NetCDF-4 file in ArviZ's InferenceData layout, written and read.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gadwall/files.hpp"
#include "gadwall/target.hpp"

namespace gadwall::files {

/// For a program that has closed its files when it ends: HDF5 then spares itself a last look for
/// some. Before anything else of HDF5; of the whole process, so nothing for a library.
void skip_hdf5_cleanup_at_exit();

struct NetcdfSchema {
  std::vector<std::string> names;  // as Stan writes them: x.1, theta.1.2, sigma
  std::vector<Statistic> statistics = common_statistics();
  RunFacts facts;  // what is known beforehand; chains says how many there are
  bool save_warmup = false;
  std::map<std::string, std::string> attributes;  // of the file, beside those of the facts
  TargetData data;
};

enum class Phase { warmup, sampling };

/// What a run writes, for comparison with what is there.
struct NetcdfRunShape {
  std::vector<Statistic> statistics = common_statistics();
  std::vector<std::string> names = {};  // none: whatever the file has
  Index chains = 0;                     // likewise
};

/// Successive draws of one chain.
struct DrawBlock {
  const double* values = nullptr;      // count x n, one draw per row
  const double* statistics = nullptr;  // count x the schema's
  Index count = 0;
};

/// Writes a file that is complete and readable after every flush, also when the process is killed
/// at any moment: what was flushed is there. Rows that only some chains have wait in memory.
/// A disk that refuses is a RunError that names the file; the file then is as after the last flush
/// and nothing is lost: flush() may be tried again. Calls may come from any thread; HDF5 is locked
/// inside.
class NetcdfWriter {
 public:
  /// Creates the file, which gets its name with the first flush; one that exists is a UsageError
  /// unless overwrite is set, and is then replaced as a whole.
  NetcdfWriter(const std::string& path, const NetcdfSchema& schema, bool overwrite);

  /// Goes on with a file after so many rows per chain; what follows them is cut off. UsageError
  /// where the file holds fewer, or is of another shape.
  static NetcdfWriter reopen(const std::string& path, Index warmup_rows, Index draw_rows,
                             const NetcdfRunShape& shape = {});

  ~NetcdfWriter();
  NetcdfWriter(NetcdfWriter&&) noexcept;
  NetcdfWriter& operator=(NetcdfWriter&&) noexcept;

  /// Draws of the warm-up are passed over unless the file keeps them. Takes all or, where the disk
  /// has refused before, throws and takes none.
  void append(Phase phase, Index chain, const DrawBlock& block);

  /// Everything that all chains have is on the disk.
  void flush();

  /// What is known of the run while it goes; a run that goes on may want more than it began with.
  void describe(const RunFacts& facts);

  /// The warm-up of a batch is over; this is its tuning from here on.
  void adapted(Index batch, const Tuning& tuning);

  /// The end of the run: what it and its chains cost and what it learnt. Flushes and closes.
  void finish(const RunFacts& facts, const std::vector<Learnt>& learnt,
              const std::vector<MeasuredFacts>& chains = {});

  /// Rows a chain that the file held after the last flush.
  Index rows(Phase phase) const;

  const std::string& path() const;

 private:
  class Implementation;
  explicit NetcdfWriter(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

/// Reads the draws after warm-up, of gadwall or of any tool that writes InferenceData, with the
/// statistics that the file has. UsageError, naming the file, for what is not such a file.
ReadResult read_netcdf(const std::string& path);

/// The same of a file that this process has written itself: no other one is needed to read it.
ReadResult read_own_netcdf(const std::string& path);

}  // namespace gadwall::files
