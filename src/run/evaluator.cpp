#include "gadwall/evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>

#include "gadwall/error.hpp"
#include "gadwall/warp.hpp"

namespace gadwall {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kMessages = 3;

/// False where the target has no product. Where it throws only that lane is lost: zero.
bool multiply_hessian(const Target& target, ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) {
  try {
    return target.hessian_times(x, v, out);
  } catch (...) {
    for (Index k = 0; k < x.cols(); ++k) {
      try {
        target.hessian_times(x.col(k), v.col(k), out.col(k));
      } catch (...) {
        out.col(k).setZero();
      }
    }
  }
  return true;
}

}  // namespace

void Evaluator::density(ConstMatrixRef x, VectorRef logp) {
  tally_.densities += static_cast<std::uint64_t>(x.cols());
  Matrix none;
  evaluate(x, logp, none);
}

void Evaluator::gradient(ConstMatrixRef x, VectorRef logp, MatrixRef grad) {
  tally_.gradients += static_cast<std::uint64_t>(x.cols());
  evaluate(x, logp, grad);
}

void Evaluator::evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) {
  if (stop_ && stop_()) throw Interrupted(0);
  warp_ ? evaluate_warped(x, logp, grad) : evaluate_model(x, logp, grad);
  for (Index k = 0; k < x.cols(); ++k) {
    const bool good_gradient = grad.size() == 0 || grad.col(k).allFinite();
    if (std::isfinite(logp[k]) && good_gradient) continue;
    ++tally_.bad_points;
    logp[k] = -kInfinity;
    if (grad.size() > 0) grad.col(k).setZero();
  }
}

void Evaluator::evaluate_warped(ConstMatrixRef y, VectorRef logp, MatrixRef grad) {
  thread_local WarpTrail trail;
  warp_->to_model(y, trail);
  evaluate_model(trail.model(), logp, grad);
  logp += trail.log_jacobian;
  if (grad.size() > 0) warp_->pull_scores(trail, grad);
}

void Evaluator::evaluate_model(ConstMatrixRef x, VectorRef logp, MatrixRef grad) {
  try {
    target_.evaluate(x, logp, grad);
  } catch (...) {
    evaluate_one_by_one(x, logp, grad);  // so that only the lane that threw is lost
  }
}

void Evaluator::evaluate_one_by_one(ConstMatrixRef x, VectorRef logp, MatrixRef grad) {
  Matrix none;
  for (Index k = 0; k < x.cols(); ++k) {
    try {
      if (grad.size() == 0) {
        target_.evaluate(x.col(k), logp.segment(k, 1), none);
      } else {
        target_.evaluate(x.col(k), logp.segment(k, 1), grad.col(k));
      }
    } catch (const std::exception& error) {
      tally_.add_exception(error.what());
      logp[k] = -kInfinity;
    } catch (...) {
      tally_.add_exception("not a std::exception");
      logp[k] = -kInfinity;
    }
  }
}

void Evaluator::hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) {
  if (!warp_ && multiply_hessian(target_, x, v, out)) {
    tally_.gradients += static_cast<std::uint64_t>(x.cols());
  } else {
    difference_gradients(x, v, out);
  }
  for (Index k = 0; k < x.cols(); ++k) {
    if (!out.col(k).allFinite()) out.col(k).setZero();
  }
}

/// H v ~ (g(x + h v) - g(x - h v)) / (2 h). The error is h^2/6 |D^3| |v|^3 + eps |g| / h, least for
/// h |v| near eps^(1/3) times the scale of x.
void Evaluator::difference_gradients(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) {
  thread_local Matrix ends, grads;
  thread_local Vector logp;
  ends.resize(x.rows(), 2);
  grads.resize(x.rows(), 2);
  logp.resize(2);
  for (Index k = 0; k < x.cols(); ++k) {
    const double length = v.col(k).norm();
    if (length == 0) {
      out.col(k).setZero();
      continue;
    }
    const double scale = 1 + x.col(k).norm() / std::sqrt(static_cast<double>(x.rows()));
    const double h = std::cbrt(std::numeric_limits<double>::epsilon()) * scale / length;
    ends.col(0) = x.col(k) + h * v.col(k);
    ends.col(1) = x.col(k) - h * v.col(k);
    gradient(ends, logp, grads);
    out.col(k) = logp.allFinite() ? ((grads.col(0) - grads.col(1)) / (2 * h)).eval()
                                  : Vector::Zero(x.rows()).eval();
  }
}

void EvaluationTally::add_exception(const std::string& message) {
  ++exceptions;
  if (first_exceptions.size() == kMessages) return;
  if (std::ranges::count(first_exceptions, message) == 0) first_exceptions.push_back(message);
}

void EvaluationTally::add_exceptions(const EvaluationTally& other) {
  for (const std::string& message : other.first_exceptions) add_exception(message);
  exceptions += other.exceptions - other.first_exceptions.size();
}

void EvaluationTally::archive(Archive& a) {
  a("gradients", gradients);
  a("densities", densities);
  a("bad points", bad_points);
  a("exceptions", exceptions);
  a("first exceptions", first_exceptions);
}

}  // namespace gadwall
