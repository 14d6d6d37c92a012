// How good the draws are so far, while they come: O(1) memory a parameter and chain.
//
// Every chain cuts its draws into blocks and keeps the means of x and of (x - c)^2 over each, c
// being its first draw; when there are too many blocks, neighbours are joined and blocks are twice
// as long from there. With b draws a block, the variance of a mean over N draws is estimated by
// b / N times the variance of the block means, and
//
//   ESS = N var(x) / (b var(block means))          (batch means)
//
// the smaller of that for x and for the square counts. R-hat compares the chains' means and
// variances (Gelman & Rubin), without ranks and without halves: the summary at the end has those.
// Where a draw has thousands of values, some thousands of them are followed.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "files/draw_writer.hpp"

namespace gadwall::session {

/// Block means of one chain.
class BlockMeans {
 public:
  explicit BlockMeans(Index values) : values_(values) {}

  void add(ConstVectorRef x);

  Index draws() const { return draws_; }
  Vector mean() const;
  Vector variance() const;  // of x; NaN before there are two draws
  Vector ess() const;       // the smaller of that of x and of its square; NaN with too few blocks

 private:
  void close_block();
  void join_neighbours();

  Index values_;
  Index draws_ = 0;
  Index block_draws_ = 1;  // length of a block
  Index in_block_ = 0;
  Index blocks_ = 0;
  Vector centre_;   // c: the first draw
  Vector sum_;      // of x - c in the present block
  Vector squares_;  // of (x - c)^2
  Matrix means_;    // of the closed blocks: values x blocks
  Matrix square_means_;
};

struct Estimates {
  double worst_ess = 0;  // summed over the chains, of the worst parameter; NaN: too early
  std::string worst_name;
  double rhat = 0;  // the largest; NaN: too early, or one chain
  std::string rhat_name;
  std::vector<double> chain_ess;     // of each chain, its worst parameter
  std::vector<std::string> unmoved;  // parameters whose draws are all the same
};

class LiveEstimates final : public files::DrawWriter {
 public:
  explicit LiveEstimates(const RunPlan& plan);

  void append(const files::ChainBlock& block) override;

  /// Any thread may ask.
  Estimates now() const;

 private:
  std::vector<std::string> names_;  // of the values that are followed
  Index stride_ = 1;                // between them
  mutable std::mutex mutex_;
  std::vector<BlockMeans> chains_;
};

}  // namespace gadwall::session
