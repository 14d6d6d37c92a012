#include "adapters/inverse_fisher.hpp"

#include <cmath>

namespace gadwall {
namespace {

/// sqrt(tr(A) / n): what the step is relative to.
double scale_of(const Matrix& lower) {
  return std::sqrt(lower.squaredNorm() / static_cast<double>(lower.rows()));
}

}  // namespace

/// From the last column to the first, so that the columns to the right are still the old ones where
/// their sum, weighted by phi, is gathered.
void add_score_increment(ConstVectorRef s, Matrix& lower) {
  const Index n = lower.rows();
  thread_local Vector right;  // sum over i > j of phi_i L_i, L_i the columns
  right.setZero(n);
  double next = 1;  // d_{j+1}
  for (Index j = n - 1; j >= 0; --j) {
    auto column = lower.col(j).tail(n - j);
    auto sum = right.tail(n - j);
    const double phi = column.dot(s.tail(n - j));
    const double present = next + phi * phi;
    const double kept = std::sqrt(next / present);
    const double taken = phi / std::sqrt(present * next);
    for (Index i = 0; i < n - j; ++i) {
      const double old = column[i];
      column[i] = kept * old - taken * sum[i];
      sum[i] += phi * old;
    }
    next = present;
  }
}

Tuning InverseFisherAdapter::initial_tuning(Index n) const {
  return Tuning(Factor::first(Metric::dense, n, 1), options_.step);
}

void InverseFisherAdapter::start(const State&, Evaluator&, const LaneNoise&, Tuning& tuning) {
  if (tuning.factor().kind() != Metric::dense) {
    tuning.change_factor() = tuning.factor().in_form(Metric::dense);
  }
  sigma_ = tuning.step * scale_of(tuning.factor().as<LowerFactor>().lower());
}

void InverseFisherAdapter::learn(const Lesson& lesson, Tuning& tuning) {
  const Transition& t = lesson.transition;
  Factor& factor = tuning.change_factor();
  Matrix& lower = factor.as<LowerFactor>().lower();
  if (lesson.iteration >= options_.step_alone) {
    for (Index k = 0; k < lesson.before.lanes(); ++k) {
      if (!(t.accept[k] > 0)) continue;
      increment_ = std::sqrt(t.accept[k] / options_.damping) *
                   (t.next.grad.col(k) - lesson.before.grad.col(k));
      add_score_increment(increment_, lower);
    }
  }
  sigma_ *= std::sqrt(1 + options_.step_rate * (t.accept.mean() - options_.target_accept));
  tuning.step = sigma_ / scale_of(lower);
}

}  // namespace gadwall
