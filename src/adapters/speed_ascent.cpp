#include "adapters/speed_ascent.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "adapters/score_metric.hpp"
#include "math/decompositions.hpp"

namespace gadwall {
namespace {

// Of M, where it is L in units of its own. The learning rate was chosen for targets whose L_ii are
// about this; with M_ii = 1 the entropy's weight would turn ten times faster than L can follow.
constexpr double kFirstDiagonal = 0.1;

constexpr double kStretch = 1000;      // iterations whose scores say the scale of L
constexpr double kFirstLength = 1.5;   // l of a direction that is new: at 1 it could not turn
constexpr double kMostLogLength = 20;  // of |log l|
constexpr double kTurning = 10;        // times faster than lengths: found on wide Gaussians

// Of a direction in one iteration. What it strays into others is stretched with it, and holds all
// steps back.
constexpr double kMostTurn = 0.015;

/// As many directions as asked for: those whose lengths differ most from 1, and new ones.
LowRankFactor with_rank(const LowRankFactor& given, Index rank, const LaneNoise& noise) {
  const Index n = given.dim();
  rank = std::min(rank, n);
  if (given.rank() == rank) return given;
  std::vector<Index> order(static_cast<std::size_t>(given.rank()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](Index j) { return std::abs(std::log(given.eigenvalues()[j])); });
  if (static_cast<Index>(order.size()) > rank) order.resize(static_cast<std::size_t>(rank));
  const auto kept = static_cast<Index>(order.size());
  Matrix directions(n, rank);
  fill_normal(noise, Purpose::probe, directions);
  directions.leftCols(kept) = given.directions()(Eigen::all, order);
  Vector eigenvalues = Vector::Constant(rank, kFirstLength * kFirstLength);
  eigenvalues.head(kept) = given.eigenvalues()(order);
  // The first columns of Q are the kept ones, but for their signs, which l does not see.
  return {given.scales(), orthonormal_basis(directions), eigenvalues};
}

/// Outer products a b^T as a low rank L sees them: p = s a (by entries), b, n x N; along U, and
/// stretched by l - 1, r x N.
struct LowRankView {
  LowRankView(const OuterProducts& gradient, const LowRankFactor& L)
      : U(L.directions()),
        p(L.scales().asDiagonal() * gradient.left.leftCols(gradient.count)),
        b(gradient.right.leftCols(gradient.count)),
        along_p(U.transpose() * p),
        along_b(U.transpose() * b) {
    const Vector excess = L.eigenvalues().array().sqrt() - 1;
    stretched_p = excess.asDiagonal() * along_p;
    stretched_b = excess.asDiagonal() * along_b;
  }

  /// The gradient of U, D = p stretched_b^T + b stretched_p^T, less U (U^T D + D^T U) / 2: what is
  /// tangent. In O(n r N) where there are few products, else in O(n r (N + r)), which is then less.
  Matrix tangent_gradient() const {
    constexpr Index kFew = 6;  // 8 products of n r N numbers against 2, and one of n r^2
    if (kFew * p.cols() >= U.cols()) {
      const Matrix inner = along_p * stretched_b.transpose() + along_b * stretched_p.transpose();
      Matrix tangent = p * stretched_b.transpose() + b * stretched_p.transpose();
      tangent.noalias() -= U * (inner + inner.transpose()) / 2;
      return tangent;
    }
    Matrix tangent = (p - U * along_p / 2) * stretched_b.transpose();
    tangent.noalias() += (b - U * along_b / 2) * stretched_p.transpose();
    tangent.noalias() -= (U * stretched_b / 2) * along_p.transpose();
    tangent.noalias() -= (U * stretched_p / 2) * along_b.transpose();
    return tangent;
  }

  const Matrix& U;
  Matrix p, b, along_p, along_b, stretched_p, stretched_b;
};

}  // namespace

/// A tuning that others learnt may have another step; the gradients are those of L with this one.
void SpeedAscent::start(const LaneNoise& noise, Tuning& tuning) {
  if (tuning.step != options_.step) {
    tuning.change_factor() = tuning.factor().scaled(tuning.step / options_.step);
    tuning.step = options_.step;
  }
  if (tuning.factor().kind() == Metric::low_rank) {
    const LowRankFactor given = tuning.factor().as<LowRankFactor>();
    tuning.change_factor() = with_rank(given, options_.rank, noise);
  }
  if (!options_.relative) return;
  units_ = tuning.factor().matrix_diagonal() / kFirstDiagonal;
  units_ = units_.cwiseMax(1e-30).cwiseMin(1e30);  // their steps are floats
}

void SpeedAscent::begin(const Factor& L) {
  if (units_.size() == 0) units_.setOnes(L.dim());
  diagonal_moment_.setZero(L.dim());
}

void SpeedAscent::ascend(const SpeedGradient& gradient, Factor& L) {
  if (first_) begin(L);
  const OuterProducts products = gradient.products();
  if (auto* diagonal = L.get_if<DiagonalFactor>()) {
    ascend_diagonal(products, diagonal->entries());
  } else if (auto* low_rank = L.get_if<LowRankFactor>()) {
    ascend_low_rank(products, *low_rank);
  } else {
    ascend_lower(products, L.as<LowerFactor>().lower());
  }
  first_ = false;
  const double excess = gradient.accepted_share() - options_.target_accept;
  beta_ = std::clamp(beta_ * (1 + options_.beta_rate * excess), options_.beta_floor,
                     options_.beta_ceiling);
  seen_ = std::min(seen_ + 1, kStretch);
  score_square_ += (gradient.score_square() - score_square_) / seen_;
}

void SpeedAscent::seed(const Matrix& x, const Matrix& scores, const LaneNoise& noise, Factor& L) {
  const auto& present = L.as<LowRankFactor>();
  const std::optional<Factor> found =
      score_metric(Metric::low_rank, x, scores, present.scales(),
                   {.most_rank = std::max(options_.rank, ScoreMetricOptions{}.most_rank),
                    .most_kept = options_.rank,
                    .refine = true});
  if (!found || !found->is_finite()) return;
  const Factor seeded = with_rank(found->as<LowRankFactor>(), options_.rank, noise);
  const double growth =
      (L.log_determinant() - seeded.log_determinant()) / static_cast<double>(L.dim());
  L = seeded.scaled(std::exp(growth));
  forget_turns(L.as<LowRankFactor>());
}

void SpeedAscent::rescale(Tuning& tuning) const {
  if (!(score_square_ > 0) || !std::isfinite(score_square_)) return;
  tuning.change_factor() = tuning.factor().scaled(1 / std::sqrt(score_square_));
}

void SpeedAscent::ascend_diagonal(const OuterProducts& gradient, Vector& diagonal) {
  gradient_ = beta_ / diagonal.array();
  for (Index c = 0; c < gradient.count; ++c) {
    gradient_ += gradient.left.col(c).cwiseProduct(gradient.right.col(c));
  }
  ascend_entries(diagonal);
}

/// By gradient_.
void SpeedAscent::ascend_entries(Vector& diagonal) {
  const double m = first_ ? 0.0 : options_.memory;
  gradient_.array() *= units_.array();
  diagonal_moment_.array() = m * diagonal_moment_.array() + (1 - m) * gradient_.array().square();
  diagonal.array() += units_.array() * (options_.learning_rate * gradient_.array() /
                                        (1 + diagonal_moment_.array().sqrt()));
  diagonal = diagonal.cwiseMax(options_.diagonal_floor * units_);
}

/// The entropy acts on the diagonal alone. Below it nothing but G's decay happens where no lane has
/// a gradient (r >= 0, a quarter of all iterations at the usual acceptance), and a decay can wait.
void SpeedAscent::ascend_lower(const OuterProducts& gradient, Matrix& lower) {
  if (first_) below_diagonal_.start(units_);
  diagonal_ = lower.diagonal();
  ascend_diagonal(gradient, diagonal_);
  const double m = first_ ? 0.0 : options_.memory;
  waiting_decay_ *= m;
  if (gradient.count > 0) {
    below_diagonal_.ascend(gradient, {waiting_decay_, 1 - m, options_.learning_rate}, lower);
    waiting_decay_ = 1;
  }
  lower.diagonal() = diagonal_;
}

void SpeedAscent::ascend_low_rank(const OuterProducts& gradient, LowRankFactor& L) {
  const LowRankView view(gradient, L);
  const auto a = gradient.left.leftCols(gradient.count);
  gradient_ = a.cwiseProduct(view.b + view.U * view.stretched_b).rowwise().sum();
  gradient_.array() += beta_ / L.scales().array();
  Vector scales = L.scales();
  ascend_entries(scales);

  if (first_) forget_turns(L);
  const double m = first_ ? 0.0 : options_.memory;
  const double rate = options_.learning_rate / kFirstDiagonal;
  const Vector length = L.eigenvalues().cwiseSqrt();
  const Vector log_gradient =
      length.cwiseProduct(view.along_p.cwiseProduct(view.along_b).rowwise().sum()).array() + beta_;
  length_moment_.array() = m * length_moment_.array() + (1 - m) * log_gradient.array().square();
  const Eigen::ArrayXd log_length =
      length.array().log() + rate * log_gradient.array() / (1 + length_moment_.array().sqrt());

  const Matrix turn = view.tangent_gradient();
  direction_moment_.array() = m * direction_moment_.array() + (1 - m) * turn.array().square();
  const double turning = std::min(kTurning * rate, kMostTurn);
  turn_.array() += turning / std::sqrt(static_cast<double>(L.dim())) * turn.array() /
                   (1 + direction_moment_.array().sqrt());
  turned_by_ += gradient.count;
  Matrix directions = L.directions();
  if (turned_by_ >= L.rank()) {
    directions += turn_;
    make_orthonormal(directions);
    turn_.setZero();
    turned_by_ = 0;
  }
  L = LowRankFactor(std::move(scales), std::move(directions),
                    (2 * log_length.max(-kMostLogLength).min(kMostLogLength)).exp().matrix());
}

/// For directions that are new.
void SpeedAscent::forget_turns(const LowRankFactor& L) {
  direction_moment_.setZero(L.dim(), L.rank());
  length_moment_.setZero(L.rank());
  turn_.setZero(L.dim(), L.rank());
  turned_by_ = 0;
}

void SpeedAscent::archive(Archive& a) {
  a("beta", beta_);
  a("first", first_);
  a("units", units_);
  a("diagonal moment", diagonal_moment_);
  a("below the diagonal", below_diagonal_);
  a("waiting decay", waiting_decay_);
  a("direction moment", direction_moment_);
  a("length moment", length_moment_);
  a("turn", turn_);
  a("turned by", turned_by_);
  a("score square", score_square_);
  a("seen", seen_);
}

}  // namespace gadwall
