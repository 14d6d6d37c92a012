// Every kernel leaves its target invariant and is reversible: exact draws, moved, are exact draws.
#include "kernels/stationarity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "kernels/kernel_checks.hpp"
#include "statistics.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

// 10^5 moves. Several in a row from each exact start let a bias grow while the draws stay
// independent, and use what the move before has kept.
constexpr Index kLanes = 100;
constexpr Index kBatches = 200;
constexpr Index kMoves = 5;
constexpr Index kPilotBatches = 10;
constexpr double kAcceptance = 0.6;  // near 0 or 1 a wrong ratio would hide
constexpr std::uint64_t kSeed = 20190;

struct Moved {
  Matrix before, after;  // z, one draw a row
  double acceptance;
};

/// Exact draws, and the same after kMoves transitions.
Moved move_exact_draws(const ExactTarget& exact, const Kernel& kernel, const Tuning& tuning,
                       Index batches, std::uint64_t seed) {
  const Index n = exact.target->dim();
  Evaluator density(*exact.target);
  Moved moved{Matrix(batches * kLanes, n), Matrix(batches * kLanes, n), 0};
  Matrix z(n, kLanes), x(n, kLanes);
  Transition transition(n, kLanes);
  for (Index b = 0; b < batches; ++b) {
    LaneNoise noise{seed, 0, static_cast<std::uint64_t>(kMoves * b)};
    fill_normal(noise, Purpose::start, z);
    moved.before.middleRows(b * kLanes, kLanes) = z.transpose();
    for (Index k = 0; k < kLanes; ++k) x.col(k) = exact.draw(z.col(k));
    State now = state_at(density, x);
    for (Index move = 0; move < kMoves; ++move, ++noise.iteration) {
      kernel.step(density, tuning, now, noise, {}, transition);
      commit(tuning, transition, now);
      moved.acceptance += transition.accept.mean() / static_cast<double>(kMoves * batches);
    }
    for (Index k = 0; k < kLanes; ++k) z.col(k) = exact.recover(now.x.col(k));
    moved.after.middleRows(b * kLanes, kLanes) = z.transpose();
  }
  return moved;
}

/// A step with the acceptance wanted, found on other draws.
void choose_step(const ExactTarget& exact, const Kernel& kernel, Tuning& tuning) {
  double low = std::log(1e-2), high = std::log(1e2);
  for (int halving = 0; halving < 12; ++halving) {
    const double middle = (low + high) / 2;
    tuning.step = std::exp(middle);
    const Moved pilot = move_exact_draws(exact, kernel, tuning, kPilotBatches, kSeed + 1);
    (pilot.acceptance > kAcceptance ? low : high) = middle;
  }
}

/// The mean of `values` in standard errors from `wanted`.
double standard_score(const Eigen::ArrayXd& values, double wanted) {
  const double variance = (values - values.mean()).square().mean();
  return (values.mean() - wanted) / std::sqrt(variance / static_cast<double>(values.size()));
}

void expect_standard_normal(const Matrix& z) {
  for (Index i = 0; i < z.cols(); ++i) {
    const Eigen::ArrayXd zi = z.col(i);
    EXPECT_LT(std::abs(standard_score(zi, 0)), 4) << "mean of " << i;
    EXPECT_LT(std::abs(standard_score(zi.square(), 1)), 4) << "variance of " << i;
    EXPECT_LT(kolmogorov_smirnov({zi.begin(), zi.end()}, normal_cdf), kKolmogorovLimit) << i;
    for (Index j = 0; j < i; ++j) {
      const Eigen::ArrayXd zj = z.col(j);
      EXPECT_LT(std::abs(standard_score(zi * zj, 0)), 4) << i << ", " << j;
      EXPECT_LT(std::abs(standard_score(zi.square() * zj, 0)), 4) << i << ", " << j;
      EXPECT_LT(std::abs(standard_score(zi.square() * zj.square(), 1)), 4) << i << ", " << j;
    }
  }
}

/// The pair (before, after) has the distribution of (after, before): odd functions of the exchange
/// have mean zero.
void expect_exchangeable(const Moved& moved) {
  for (Index i = 0; i < moved.before.cols(); ++i) {
    const Eigen::ArrayXd a = moved.before.col(i), b = moved.after.col(i);
    const Eigen::ArrayXd r = moved.before.rowwise().squaredNorm();
    const Eigen::ArrayXd s = moved.after.rowwise().squaredNorm();
    EXPECT_LT(std::abs(standard_score(a * b.square() - b * a.square(), 0)), 4) << i;
    EXPECT_LT(std::abs(standard_score(a * s - b * r, 0)), 4) << i;
    EXPECT_LT(std::abs(standard_score(a.square() * s.square() - b.square() * r.square(), 0)), 4)
        << i;
  }
}

Tuning scaled_tuning(const ExactTarget& exact, Metric kind) {
  const Index n = exact.target->dim();
  if (kind == Metric::unit) return Tuning(Factor::unit(n));
  const Factor factor = some_factor(kind, n);
  if (kind == Metric::low_rank) {
    const auto& low_rank = factor.as<LowRankFactor>();
    return Tuning(Factor::low_rank(exact.scales.cwiseProduct(low_rank.scales()),
                                   low_rank.directions(), low_rank.eigenvalues()));
  }
  const Matrix lower = exact.scales.asDiagonal() * factor.matrix();
  return Tuning(kind == Metric::diag ? Factor::diagonal(lower.diagonal()) : Factor::dense(lower));
}

using Setting = std::tuple<KernelCase, Metric, ExactTarget>;

class Stationarity : public ::testing::TestWithParam<Setting> {};

TEST_P(Stationarity, ExactDrawsStayExactAndTheMoveIsReversible) {
  const auto& [row, metric, exact] = GetParam();
  const std::unique_ptr<Kernel> kernel = row.make();
  Tuning tuning = scaled_tuning(exact, metric);
  choose_step(exact, *kernel, tuning);
  const Moved moved = move_exact_draws(exact, *kernel, tuning, kBatches, kSeed);
  EXPECT_NEAR(moved.acceptance, kAcceptance, 0.05);
  expect_standard_normal(moved.after);
  expect_exchangeable(moved);
}

std::string setting_name(const ::testing::TestParamInfo<Setting>& row) {
  const auto& [kernel, metric, exact] = row.param;
  return kernel.name + metric_name(metric) + exact.name;
}

INSTANTIATE_TEST_SUITE_P(Kernels, Stationarity,
                         ::testing::Combine(::testing::ValuesIn(kernel_cases()),
                                            ::testing::ValuesIn(kMetrics),
                                            ::testing::ValuesIn(exact_targets())),
                         setting_name);

}  // namespace
}  // namespace gadwall
