// What keeping momentum brings, against formulas and against chains that do it.
#include "meetings/persistence.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace gadwall {
namespace {

/// A standard normal that is turned by `angle` with its momentum, step by step.
std::vector<double> chain_of(double angle, double acceptance, double share, std::size_t length) {
  std::mt19937_64 generator(7);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  double x = normal(generator), v = normal(generator);
  std::vector<double> chain(length);
  for (double& value : chain) {
    v = share * v + std::sqrt(1 - share * share) * normal(generator);
    if (uniform(generator) < acceptance) {
      const double turned = std::cos(angle) * x + std::sin(angle) * v;
      v = std::cos(angle) * v - std::sin(angle) * x;
      x = turned;
    } else {
      v = -v;
    }
    value = x;
  }
  return chain;
}

/// Effective draws per step of a function of known variance and mean 0, by means of batches.
template <class F>
double seen_draws(const std::vector<double>& chain, std::size_t batches, F f, double variance) {
  const std::size_t length = chain.size() / batches;
  double squares = 0;
  for (std::size_t b = 0; b < batches; ++b) {
    double sum = 0;
    for (std::size_t t = 0; t < length; ++t) sum += f(chain[b * length + t]);
    squares += sum * sum / static_cast<double>(length);
  }
  return variance / (squares / static_cast<double>(batches));
}

TEST(Persistence, OfNothingIsAnOrdinaryChain) {
  for (const double r : {-0.2, 0.0, 0.3, 0.9}) {
    EXPECT_NEAR(draws_per_step({1, r, 1}, 0), (1 - r) / (1 + r), 1e-12);
  }
  EXPECT_NEAR(draws_per_step({2, 0.3, 0.8}, 0), 0.7 / 1.3, 1e-12);
}

TEST(Persistence, GainsByItsFormulaWithoutRejections) {
  const double c = std::cos(1.2), a = 0.3;
  EXPECT_NEAR(draws_per_step({1, c, 1}, a), (1 - c) / (1 + c) * (1 + a) / (1 - a), 1e-12);
}

TEST(Persistence, IsWhatChainsBring) {
  constexpr std::size_t kBatches = 4000;
  constexpr double kError = 0.0224;  // sqrt(2 / batches), relative
  for (const auto& [angle, acceptance, share] :
       {std::array{1.2, 1.0, 0.4}, std::array{0.8, 0.8, 0.6}, std::array{0.5, 0.9, 0.7}}) {
    const std::vector<double> chain = chain_of(angle, acceptance, share, kBatches * 250);
    const double c = std::cos(angle);
    const double values = draws_per_step({1, acceptance * c + 1 - acceptance, acceptance}, share);
    const double squares =
        draws_per_step({2, acceptance * c * c + 1 - acceptance, acceptance}, share);
    EXPECT_NEAR(seen_draws(
                    chain, kBatches, [](double x) { return x; }, 1) /
                    values,
                1, 4 * kError);
    EXPECT_NEAR(seen_draws(
                    chain, kBatches, [](double x) { return x * x - 1; }, 2) /
                    squares,
                1, 4 * kError);
  }
}

}  // namespace
}  // namespace gadwall
