// A format in which the draws of a run are kept: called by one thread, block by block.
#pragma once

#include <string>
#include <vector>

#include "gadwall/run.hpp"

namespace gadwall::files {

/// Some draws of one chain, one after the other.
struct ChainBlock {
  Index chain = 0;
  bool warmup = false;
  Index count = 0;
  Matrix values;  // a draw a column: values x capacity
  std::vector<DrawStatistics> statistics;

  Index capacity() const { return values.cols(); }
};

class DrawWriter {
 public:
  virtual ~DrawWriter() = default;

  virtual void begin_sampling(Index chain, const Tuning& tuning) = 0;
  virtual void append(const ChainBlock& block) = 0;

  /// What was appended must survive a kill from here on.
  virtual void flush() = 0;

  virtual void finish(const RunOutcome& outcome) = 0;

  /// The files; none where a chain has no draws yet.
  virtual std::vector<std::string> paths() const = 0;
};

}  // namespace gadwall::files
