// What trajectories bring, on trajectories whose correlations are known.
#include "meetings/efficiency.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "adapters/lesson_testing.hpp"
#include "diagnostics/ess.hpp"

namespace gadwall {
namespace {

using testing::some_numbers;

/// Rotations of standard normals by the angle h per step; accepted with probability a.
Paths rotations(double h, double a, Index steps, Index count, std::uint64_t seed) {
  const Index c = 2;
  const Matrix z = some_numbers(c, count, seed), v = some_numbers(c, count, seed + 1);
  Paths paths;
  paths.start = paths.after = z;
  paths.end.resize(c * steps, count);
  paths.accept = Matrix::Constant(steps, count, a);
  for (Index l = 1; l <= steps; ++l) {
    const double angle = h * static_cast<double>(l);
    paths.end.middleRows((l - 1) * c, c) = std::cos(angle) * z + std::sin(angle) * v;
  }
  paths.lanes = 1;
  paths.gradients = static_cast<double>(steps * count);
  return paths;
}

/// (1 - r) / (1 + r) of the values, r = 1 - a (1 - cos h); that of squares is larger.
double expected(double h, double a) {
  const double r = 1 - a * (1 - std::cos(h));
  return (1 - r) / (1 + r);
}

TEST(BestLength, IsOneStepOfAboutAQuarterTurn) {
  const LengthEfficiency best = best_length({rotations(1.2, 1, 4, 3000, 1)});
  EXPECT_EQ(best.steps, 1);
  // By the formulas of persistence.hpp: 0.868 of values and 0.728 of squares at 0.3; 0.70 and 0.77
  // at 0.2. r has a standard error of sin(h) / sqrt(3000) = 0.017.
  EXPECT_NEAR(best.persistence, 0.3, 0.1 + 1e-9);
  const double slope = 2 / std::pow(1 + std::cos(1.2), 2);
  EXPECT_NEAR(best.efficiency, 0.728, 4 * 0.017 * slope);
}

/// A quarter turn of twenty steps; or the momentum kept.
TEST(BestLength, IsLongerWhereStepsAreShort) {
  const LengthEfficiency best = best_length({rotations(0.08, 1, 32, 3000, 3)});
  EXPECT_GT(best.steps > 1 ? static_cast<double>(best.steps) : 1 / (1 - best.persistence), 4);
  EXPECT_GT(best.efficiency, 2 * expected(0.08, 1));
}

TEST(BestLength, CountsRejectionsAndTheGradientsOfAStep) {
  std::vector<Paths> half = {rotations(1.2, 0.5, 2, 3000, 5)};
  const double one = best_length(half).efficiency;
  EXPECT_LT(one, 0.7 * best_length({rotations(1.2, 1, 2, 3000, 5)}).efficiency);
  half.front().gradients *= 2;
  EXPECT_DOUBLE_EQ(best_length(half).efficiency, one / 2);
}

TEST(BestLength, IsThatOfTheSlowestCoordinates) {
  Paths mixed = rotations(1.2, 1, 4, 3000, 7);
  const Paths slow = rotations(0.1, 1, 4, 3000, 9);
  mixed.start.row(1) = slow.start.row(1);
  for (Index l = 0; l < 4; ++l) mixed.end.row(2 * l + 1) = slow.end.row(2 * l + 1);
  const LengthEfficiency best = best_length({mixed});
  EXPECT_NEAR(best.persistence, 0.8, 1e-9);  // the most there is
  EXPECT_LT(best.efficiency, 0.05);
}

/// The coordinates of both, as if the same trajectories had moved them.
Paths beside(const Paths& some, const Paths& more) {
  Paths both = some;
  const Index c = some.start.rows(), d = more.start.rows(), count = some.start.cols();
  const Index steps = some.accept.rows();
  both.start.resize(c + d, count);
  both.start << some.start, more.start;
  both.end.resize((c + d) * steps, count);
  for (Index l = 0; l < steps; ++l) {
    both.end.middleRows(l * (c + d), c) = some.end.middleRows(l * c, c);
    both.end.middleRows(l * (c + d) + c, d) = more.end.middleRows(l * d, d);
  }
  return both;
}

/// 2 `pairs` coordinates that turn by 1.2, in 128 trajectories.
Paths fast_ones(std::uint64_t pairs) {
  Paths all = rotations(1.2, 1, 2, 128, 100);
  for (std::uint64_t j = 1; j < pairs; ++j)
    all = beside(all, rotations(1.2, 1, 2, 128, 100 + 2 * j));
  return all;
}

/// Forty coordinates alike: the slowest two are no slower than the others, only noisier.
TEST(BestLength, TakesNoiseForNoise) {
  // The mean of forty correlations has an error of sin(h) / sqrt(128 * 40) = 0.013, and the
  // efficiency moves twice as much. Unshrunk, the slowest two of eighty numbers would be two or
  // three of their own errors of 0.08 and more off.
  EXPECT_NEAR(best_length({fast_ones(20)}).efficiency, 0.728, 4 * 0.013 * 2);
}

/// Two slow coordinates beside forty fast and noisy ones are not taken for noise: of them alone
/// single steps that keep .8 of the momentum bring (1 - cos .1) / (1 + cos .1) x 1.8 / .2 = 0.023;
/// shrunk by the same share as the others they would seem to bring 0.3.
TEST(BestLength, SeesTheSlowAmongMany) {
  const Paths mixed = beside(fast_ones(20), rotations(0.1, 1, 2, 128, 200));
  EXPECT_LT(best_length({mixed}).efficiency, 0.2);
}

/// Two batches of two lanes: the chains are put together lane by lane.
TEST(EfficiencyOfStates, IsTheEffectiveSampleSizePerGradient) {
  std::vector<Paths> batches(2);
  Matrix chains(40, 4);
  for (std::size_t b = 0; b < 2; ++b) {
    batches[b].lanes = 2;
    batches[b].gradients = 100;
    batches[b].after = some_numbers(1, 80, 20 + b);
    for (Index t = 0; t < 40; ++t) {
      for (Index k = 0; k < 2; ++k) {
        chains(t, 2 * static_cast<Index>(b) + k) = batches[b].after(0, 2 * t + k);
      }
    }
  }
  const double expected =
      (ess_of_chains(chains) + ess_of_chains(squared_deviations(chains))) / 2 / 200;
  EXPECT_NEAR(efficiency_of_states(batches), expected, 1e-12);
}

}  // namespace
}  // namespace gadwall
