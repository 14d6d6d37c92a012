// Mean and (co)variance of a stream of vectors, by Welford's updates.
#pragma once

#include "gadwall/tuning.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

class RunningCovariance {
 public:
  /// For a factor with correlations it keeps the matrix, for others the variances alone.
  RunningCovariance(Metric metric, Index n);

  void add(ConstVectorRef x);

  double count() const { return count_; }

  /// Of the sample: n x n, or n x 1 where only the variances are kept.
  Matrix covariance() const;

  /// (N C + 5 * 1e-3 I) / (N + 5), as Stan shrinks the sample covariance C of N vectors.
  Matrix shrunk() const;

  void archive(Archive& a);

 private:
  bool dense_;
  double count_ = 0;
  Vector mean_, delta_;
  Matrix squares_;  // about the mean; of a matrix the lower triangle
};

}  // namespace gadwall
