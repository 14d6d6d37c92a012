// The draws of a chain in constant memory: means over blocks.
//
// A chain cuts its draws into blocks and keeps the means of x and of (x - c)^2 over each, c being
// its first draw; when there are too many blocks, neighbours are joined and blocks are twice as
// long from there.
#pragma once

#include "gadwall/types.hpp"

namespace gadwall::session {

constexpr Index kFewBlocks = 32;  // of a chain: below this they say nothing

/// Of each row, about its mean.
Vector row_variances(const Eigen::Ref<const Matrix>& rows);

class BlockMeans {
 public:
  explicit BlockMeans(Index values, Index most_blocks = 128)
      : values_(values), most_blocks_(most_blocks) {}

  void add(ConstVectorRef x);

  Index draws() const { return draws_; }
  Index blocks() const { return blocks_; }
  Index block_draws() const { return block_draws_; }
  double centre(Index value) const { return blocks_ > 0 ? centre_[value] : 0; }
  Vector mean() const;
  Vector variance() const;   // of x; NaN before there is a block
  Vector quick_ess() const;  // the smaller of that of x and of its square; NaN with few blocks

  /// Variance of (x - mean)^2 of one value.
  double square_variance(Index value) const;

  /// Of one value: means over blocks of this length, a multiple of ours.
  struct Series {
    Vector means;    // of x - centre
    Vector squares;  // of (x - centre)^2
    Vector draws;    // the first x of each block
  };
  Series series(Index value, Index length, double centre) const;

 private:
  void close_block();
  void join_neighbours();

  Index values_;
  Index most_blocks_;
  Index draws_ = 0;
  Index block_draws_ = 1;  // length of a block
  Index in_block_ = 0;
  Index blocks_ = 0;
  Vector centre_;   // c: the first draw
  Vector sum_;      // of x - c in the present block
  Vector squares_;  // of (x - c)^2
  Vector cubes_;    // of (x - c)^3 over all draws
  Vector fourths_;  // of (x - c)^4
  Matrix means_;    // of the closed blocks: values x blocks
  Matrix square_means_;
  Matrix first_draws_;
};

}  // namespace gadwall::session
