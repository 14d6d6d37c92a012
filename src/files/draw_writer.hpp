// Takes the draws of a run: called by one thread, block by block.
#pragma once

#include <memory>
#include <vector>

#include "gadwall/run.hpp"

namespace gadwall::files {

/// Some draws of one chain, one after the other.
struct ChainBlock {
  Index chain = 0;
  bool warmup = false;
  Index count = 0;
  Matrix values;      // one draw per column: values x capacity
  Matrix statistics;  // likewise

  Index capacity() const { return values.cols(); }
};

class DrawWriter {
 public:
  virtual ~DrawWriter() = default;

  /// The warm-up of a batch (chains batch K ... batch K + K - 1) is over. All writers share the one
  /// copy of its tuning.
  virtual void begin_sampling(Index, const std::shared_ptr<const Tuning>&) {}

  virtual void append(const ChainBlock& block) = 0;

  /// What was appended must survive a kill from here on.
  virtual void flush() {}

  virtual void finish(const RunOutcome&) {}
};

}  // namespace gadwall::files
