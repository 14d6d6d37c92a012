// The quick loss of a bend is the exact one but for rounding errors.
#include "warps/bend_loss.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "warps/fit_bend.hpp"

namespace gadwall {
namespace {

struct DriverDraws {
  Vector d, scores;
};

/// A count that does not fill its last block.
DriverDraws make_draws(unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  DriverDraws draws{Vector(197), Vector(197)};
  for (Index i = 0; i < draws.d.size(); ++i) {
    draws.d[i] = 30 + 0.7 * normal(generator) + 0.2 * normal(generator) * normal(generator);
    draws.scores[i] = -(draws.d[i] - 30) / 0.5 + 0.1 * normal(generator);
  }
  return draws;
}

double exact_loss(const DriverDraws& draws, const Bend& bend) {
  double sum = 0;
  for (Index i = 0; i < draws.d.size(); ++i) {
    const double t = bend.inverse(draws.d[i]);
    const Bend::Value value = bend.at(t);
    const double missed = draws.scores[i] * value.slope + value.log_slope_derivative + t;
    sum += missed * missed;
  }
  return sum / static_cast<double>(draws.d.size());
}

TEST(BendLoss, IsThatOfTheBendsOwnFunctions) {
  const DriverDraws draws = make_draws(1);
  BendLoss loss(draws.d, draws.scores);
  std::mt19937_64 generator(2);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 500; ++trial) {
    const Bend bend{30 + normal(generator), std::exp(2 * normal(generator)),
                    std::exp(2 * normal(generator)), std::exp(2 * normal(generator) - 2),
                    std::exp(2 * normal(generator) - 2)};
    const double exact = exact_loss(draws, bend);
    EXPECT_NEAR(loss(bend, std::numeric_limits<double>::infinity()), exact, 1e-11 * exact);
    EXPECT_EQ(loss(bend, 0.99 * exact), std::numeric_limits<double>::infinity());
  }
}

TEST(BendLoss, IsInfiniteForABendThatIsNone) {
  const DriverDraws draws = make_draws(3);
  BendLoss loss(draws.d, draws.scores);
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(loss({30, kInfinite, 1, 0, 0}, kInfinite), kInfinite);
  EXPECT_EQ(loss({30, 0, 0, 0, 0}, kInfinite), kInfinite);
  const Bend good{30, 0.7, 0.7, 0.01, 0.01};  // what came before leaves no trace
  EXPECT_NEAR(loss(good, kInfinite), exact_loss(draws, good), 1e-11);
}

TEST(FitBend, QuicklyIsAsGoodAsExactly) {
  for (const unsigned seed : {4, 5, 6, 7}) {
    const DriverDraws draws = make_draws(seed);
    const double quick = exact_loss(draws, fit_bend(draws.d, draws.scores, BendFit::quick));
    const double exact = exact_loss(draws, fit_bend(draws.d, draws.scores, BendFit::exact));
    EXPECT_NEAR(quick, exact, 0.02 * exact) << seed;
  }
}

}  // namespace
}  // namespace gadwall
