// The target as a run sees it: every evaluation counted, every bad point made harmless.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gadwall/archive.hpp"
#include "gadwall/target.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

class Warp;

/// What was asked of the target so far, one point at a time.
struct EvaluationTally {
  std::uint64_t gradients = 0;   // a Hessian-vector product counts as one, by differences as two
  std::uint64_t densities = 0;   // density alone
  std::uint64_t bad_points = 0;  // log density or gradient not finite, or an exception
  std::uint64_t exceptions = 0;  // among the bad points
  std::vector<std::string> first_exceptions;  // a few that differ

  void add_exception(const std::string& message);
  void add_exceptions(const EvaluationTally& other);
  void archive(Archive& a);
};

/// Belongs to one batch, hence to one thread at a time. A column whose log density is NaN or +inf,
/// whose gradient is not finite, or for which the target throws comes back as logp = -inf with
/// a zero gradient, so that no NaN reaches a kernel.
class Evaluator {
 public:
  explicit Evaluator(const Target& target) : target_(target) {}

  const Target& target() const { return target_; }
  Index dim() const { return target_.dim(); }

  /// From here on points, densities and gradients are those of the new coordinates; null: the
  /// model's own.
  void look_through(std::shared_ptr<const Warp> warp) { warp_ = std::move(warp); }

  void density(ConstMatrixRef x, VectorRef logp);
  void gradient(ConstMatrixRef x, VectorRef logp, MatrixRef grad);

  /// out.col(k) = H(x_k) v_k; a central difference of gradients where the target has no product.
  /// A column that is not finite comes back as zero.
  void hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out);

  /// From here on an evaluation throws Interrupted where this is true; empty: none does. For work
  /// that has no iterations at which it could end.
  void stop_when(std::function<bool()> stop) { stop_ = std::move(stop); }

  const EvaluationTally& tally() const { return tally_; }
  void archive(Archive& a) { tally_.archive(a); }

 private:
  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad);
  void evaluate_warped(ConstMatrixRef y, VectorRef logp, MatrixRef grad);
  void evaluate_model(ConstMatrixRef x, VectorRef logp, MatrixRef grad);
  void evaluate_one_by_one(ConstMatrixRef x, VectorRef logp, MatrixRef grad);
  void difference_gradients(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out);

  const Target& target_;
  std::shared_ptr<const Warp> warp_;
  EvaluationTally tally_;
  std::function<bool()> stop_;
};

}  // namespace gadwall
