// The draws of a NetCDF file one block after another, for those who need not hold them all.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "files/draw_writer.hpp"
#include "files/netcdf_remote.hpp"

namespace gadwall::files {

/// While it lives no commit touches the file. To be used by the thread that made it.
class NetcdfStream {
 public:
  /// UsageError, naming the file, for what is no draws file, and where it holds no draws.
  explicit NetcdfStream(const std::string& path);

  const std::vector<std::string>& names() const { return names_; }
  /// Of the blocks: all common ones, 0 where the file lacks them, then its others.
  const std::vector<Statistic>& statistics() const { return statistics_; }
  Index chains() const { return static_cast<Index>(sampling_.shape.chains); }
  Index rows(Phase phase) const;  // of each chain

  RunFacts facts() const;  // draws: as many as there are
  bool is_finished() const { return head_.is_finished; }
  const std::string& created_at() const { return head_.created_at; }
  std::vector<Learnt> learnt() const;              // as far as the run has come
  std::vector<MeasuredFacts> chain_costs() const;  // empty where the file does not hold them

  /// All rows of a chain, in order.
  void read(Phase phase, Index chain, const std::function<void(const ChainBlock&)>& take) const;

  /// So many rows of it, from `first` on.
  ChainBlock rows_of(Phase phase, Index chain, Index first, Index count) const;

  /// How many are read best at a time.
  Index rows_at_once(Phase phase) const;

  /// What the target was made from, where the file holds it.
  TargetData data() const;

 private:
  const NetcdfVariables* variables(Phase phase) const;

  NetcdfRemote file_;
  NetcdfHead head_;
  NetcdfVariables sampling_;
  std::optional<NetcdfVariables> warmup_;
  std::vector<std::string> names_;
  std::vector<Statistic> statistics_;
};

}  // namespace gadwall::files
