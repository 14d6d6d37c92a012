#include "adapters/speed_measure.hpp"

#include <cmath>

#include "adapters/learnable.hpp"

namespace gadwall {

// Of M, where it is L in units of its own. The learning rate was chosen for targets whose L_ii are
// about this; with M_ii = 1 the entropy's weight would turn ten times faster than L can follow.
constexpr double kFirstDiagonal = 0.1;

const char* const kLearner = "the speed measure";

Wants SpeedMeasureAdapter::wants() const {
  return {.gradient = true, .curvature = options_.proposal == Proposal::langevin_exact};
}

Tuning SpeedMeasureAdapter::initial_tuning(Index n) const {
  require_learnable(kLearner, options_.metric);
  const double scale = options_.initial_scale / std::sqrt(static_cast<double>(n));
  return Tuning(Factor::first(options_.metric, n, scale));
}

/// A tuning that others learnt may have a step; the gradients are those of L with step 1.
void SpeedMeasureAdapter::start(const State&, Evaluator&, const LaneNoise&, Tuning& tuning) {
  require_learnable(kLearner, tuning.factor().kind());
  tuning.fold_step();
  if (!options_.relative) return;
  units_ = tuning.factor().matrix_diagonal() / kFirstDiagonal;
  units_ = units_.cwiseMax(1e-30).cwiseMin(1e30);  // their steps are floats
}

void SpeedMeasureAdapter::learn(const Lesson& lesson, Tuning& tuning) {
  gather_outer_products(lesson, tuning.factor());
  Factor& L = tuning.change_factor();
  if (first_) {
    if (units_.size() == 0) units_.setOnes(L.dim());
    diagonal_moment_.setZero(L.dim());
  }
  if (auto* diagonal = L.get_if<DiagonalFactor>()) {
    ascend_diagonal(diagonal->entries());
  } else {
    ascend_lower(L.as<LowerFactor>().lower());
  }
  first_ = false;
  const double excess = lesson.accepted_share() - options_.target_accept;
  beta_ = std::max(options_.beta_floor, beta_ * (1 + options_.beta_rate * excess));
}

template <class A, class B>
void SpeedMeasureAdapter::append(const A& a, const B& b) {
  left_.col(outer_products_) = a;
  right_.col(outer_products_) = b;
  ++outer_products_;
}

void SpeedMeasureAdapter::gather_outer_products(const Lesson& lesson, const Factor& L) {
  const Index n = lesson.before.dim();
  const Index lanes = lesson.before.lanes();
  const Index terms = options_.proposal == Proposal::langevin_exact ? 3 : 1;
  left_.resize(n, terms * lanes);
  right_.resize(n, terms * lanes);
  scratch_.resize(n);
  outer_products_ = 0;
  for (Index k = 0; k < lanes; ++k) {
    const double r = lesson.transition.log_ratio[k];
    if (r < 0 && std::isfinite(lesson.transition.next.logp[k])) gather_lane(lesson, L, k);
  }
  if (lanes > 1) left_.leftCols(outer_products_) *= 1 / static_cast<double>(lanes);
}

void SpeedMeasureAdapter::gather_lane(const Lesson& lesson, const Factor& L, Index lane) {
  const Transition& t = lesson.transition;
  const auto g_x = lesson.before.grad.col(lane);
  const auto g_y = t.next.grad.col(lane);
  if (options_.proposal == Proposal::random_walk) {
    append(g_y, t.noise.col(lane));
    return;
  }
  append(0.5 * (g_y - g_x), t.move.col(lane) - 0.5 * t.next.whitened.col(lane));
  if (options_.proposal == Proposal::langevin_exact) {
    const auto k = t.curvature.col(lane);
    append(-k / 2, t.move.col(lane));
    L.transpose_times(k, scratch_);
    append(-g_x / 4, scratch_);
  }
}

void SpeedMeasureAdapter::ascend_diagonal(Vector& diagonal) {
  const double m = first_ ? 0.0 : options_.memory;
  gradient_ = beta_ / diagonal.array();
  for (Index c = 0; c < outer_products_; ++c) {
    gradient_ += left_.col(c).cwiseProduct(right_.col(c));
  }
  gradient_.array() *= units_.array();
  diagonal_moment_.array() = m * diagonal_moment_.array() + (1 - m) * gradient_.array().square();
  diagonal.array() += units_.array() * (options_.learning_rate * gradient_.array() /
                                        (1 + diagonal_moment_.array().sqrt()));
  diagonal = diagonal.cwiseMax(options_.diagonal_floor * units_);
}

/// The entropy acts on the diagonal alone. Below it nothing but G's decay happens where no lane has
/// a gradient (r >= 0, a quarter of all iterations at the usual acceptance), and a decay can wait.
void SpeedMeasureAdapter::ascend_lower(Matrix& lower) {
  if (first_) below_diagonal_.start(units_);
  diagonal_ = lower.diagonal();
  ascend_diagonal(diagonal_);
  const double m = first_ ? 0.0 : options_.memory;
  waiting_decay_ *= m;
  if (outer_products_ > 0) {
    below_diagonal_.ascend({left_, right_, outer_products_},
                           {waiting_decay_, 1 - m, options_.learning_rate}, lower);
    waiting_decay_ = 1;
  }
  lower.diagonal() = diagonal_;
}

NamedNumbers SpeedMeasureAdapter::record(const RecentMeans& recent, const Tuning& tuning) const {
  return {{"beta", beta_},
          {"objective", recent.log_ratio + beta_ * tuning.factor().log_determinant()}};
}

void SpeedMeasureAdapter::archive(Archive& a) {
  a("beta", beta_);
  a("first", first_);
  a("units", units_);
  a("diagonal moment", diagonal_moment_);
  a("below the diagonal", below_diagonal_);
  a("waiting decay", waiting_decay_);
}

}  // namespace gadwall
