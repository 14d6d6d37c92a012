// The draws of a run as long as they are few: nobody has to read back from the disk what has just
// been written.
#pragma once

#include <optional>

#include "files/draw_writer.hpp"
#include "gadwall/sample.hpp"

namespace gadwall::files {

class ShortRun final : public DrawWriter {
 public:
  /// A run without any draw yet; most_values: of all chains, statistics included.
  explicit ShortRun(const RunPlan& plan, Index most_values = 2'000'000);

  void append(const ChainBlock& block) override;

  /// False from the moment at which there were too many.
  bool has_all() const { return draws_.has_value(); }

  /// As many of each chain as were appended, with the facts that the plan knows.
  Draws draws() { return draws_->so_far(); }

 private:
  std::optional<MemorySink> draws_;
  Index room_;  // for so many values
};

}  // namespace gadwall::files
