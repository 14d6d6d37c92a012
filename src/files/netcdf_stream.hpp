// The draws of a NetCDF file one block after another, for those who need not hold them all.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "files/draw_writer.hpp"
#include "files/netcdf_parts.hpp"

namespace gadwall::files {

/// While it lives no commit touches the file, and HDF5 is this thread's.
class NetcdfStream {
 public:
  /// UsageError, naming the file, for what is no draws file, and where it holds no draws.
  explicit NetcdfStream(const std::string& path);

  const std::vector<std::string>& names() const { return names_; }
  /// Of the blocks: all common ones, 0 where the file lacks them, then its others.
  const std::vector<Statistic>& statistics() const { return statistics_; }
  Index chains() const { return chains_; }
  Index rows(Phase phase) const;  // of each chain

  RunFacts facts() const;                          // draws: as many as there are
  bool is_finished() const;                        // else the costs are not known
  std::vector<Learnt> learnt() const;              // as far as the run has come
  std::vector<MeasuredFacts> chain_costs() const;  // empty where the file does not hold them
  std::string created_at() const;  // "2025-01-31T12:00:00+00:00"; empty where unknown

  /// All rows of a chain, in order.
  void read(Phase phase, Index chain, const std::function<void(const ChainBlock&)>& take) const;

  /// So many rows of it, from `first` on.
  ChainBlock rows_of(Phase phase, Index chain, Index first, Index count) const;

  /// How many are read best at a time.
  Index rows_at_once(Phase phase) const;

  /// What the target was made from, where the file holds it.
  TargetData data() const;

 private:
  struct Section {
    Hdf5Id statistics;  // none where the file has none
    std::vector<VariableLayout> value_variables;
    NetcdfStatistics statistic_variables;
    NetcdfShape shape;
    Index rows_at_once = 1;
  };
  Section open_section(Phase phase) const;
  const std::optional<Section>& section(Phase phase) const;
  template <class Work>
  auto guarded(Work work) const;

  std::string path_;
  Hdf5Session session_;
  Hdf5Id root_;
  std::optional<Section> sampling_;
  std::optional<Section> warmup_;
  std::vector<std::string> names_;
  std::vector<Statistic> statistics_;
  Index chains_ = 0;
};

}  // namespace gadwall::files
