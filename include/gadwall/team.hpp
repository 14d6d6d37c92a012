// The processes that share a run.
#pragma once

#include <string>
#include <vector>

namespace gadwall {

/// Each holds some of the batches, in order: the first process the first ones. Everything that
/// crosses is bytes of an Archive, at a rest, where all call the same functions in the same order.
class Team {
 public:
  virtual ~Team() = default;

  virtual int rank() const { return 0; }
  virtual int size() const { return 1; }

  /// For messages: "rank 2 on node7".
  virtual std::string name_of(int rank) const { return "rank " + std::to_string(rank); }

  /// What each process gives, by rank, the same for all.
  virtual std::vector<std::string> gather_all(std::string bytes) { return {std::move(bytes)}; }

  /// The same for the first process alone; nothing for the others.
  virtual std::vector<std::string> gather_first(std::string bytes) {
    std::vector<std::string> all = gather_all(std::move(bytes));
    if (rank() > 0) all.clear();
    return all;
  }

  /// What the first process gives, for all.
  virtual std::string from_first(std::string bytes) { return bytes; }

  bool is_first() const { return rank() == 0; }
};

}  // namespace gadwall
