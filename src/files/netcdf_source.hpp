// What a NetCDF draws file holds, read by HDF5 in this process.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "files/netcdf_parts.hpp"
#include "files/netcdf_rows.hpp"
#include "gadwall/target.hpp"

namespace gadwall::files {

/// Of the file as a whole.
struct NetcdfHead {
  RunFacts facts;           // as they were written
  bool is_finished = true;  // else the costs are not known
  std::string created_at;   // "2025-01-31T12:00:00+00:00"; empty where unknown
  bool has_warmup = false;
};

/// The variables of warm-up, or of what follows it.
struct NetcdfVariables {
  NetcdfShape shape;
  std::vector<VariableLayout> values;
  NetcdfStatistics statistics;
};

/// What was learnt, as far as it can be read, and why not all of it can.
struct NetcdfLearnt {
  std::vector<Learnt> learnt;
  std::vector<std::string> warnings;
};

/// Some rows of one chain, of one variable.
struct NetcdfRange {
  Phase phase = Phase::sampling;
  std::int32_t is_statistic = 0;  // a bool that leaves no gap after it: this is sent as it lies
  Index variable = 0;             // of NetcdfVariables
  Index chain = 0;
  Index first = 0;
  Index count = 0;
};

/// HDF5 crashes over some files, and the process with it: NetcdfRemote has one to spare. Whoever
/// has one of these holds an Hdf5Session. All errors are UsageErrors that name the file.
class NetcdfSource {
 public:
  explicit NetcdfSource(const std::string& path);

  NetcdfHead head() const;
  NetcdfVariables variables(Phase phase) const;
  NetcdfLearnt learnt() const;
  std::vector<MeasuredFacts> chain_costs() const;  // empty where the file does not hold them
  TargetData data() const;                         // likewise

  /// One draw per row.
  NetcdfRows rows(const NetcdfRange& range);

  /// The same; as many as `rows` has.
  void read(NetcdfRange range, NetcdfRows& rows);

 private:
  template <class Work>
  auto guarded(Work work) const;
  const NetcdfVariables& known_variables(Phase phase);

  std::string path_;
  Hdf5Id root_;
  std::map<Phase, NetcdfVariables> known_;
  std::string dataset_path_;  // of the one that was asked for last
  std::optional<RowReader> reader_;
};

}  // namespace gadwall::files
