// Dual averaging against Hoffman & Gelman's (2014) equations (6), written out in their letters.
#include "adapters/dual_averaging.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace gadwall {
namespace {

struct Reference {
  std::vector<double> steps;
  double average = 1;
};

/// H_t = (1 - 1/(t + t0)) H_{t-1} + (delta - alpha_t) / (t + t0),
/// log eps_t = mu - sqrt(t)/gamma H_t, log epsbar_t = t^-kappa log eps_t + (1 - t^-kappa) log
/// epsbar
Reference reference(const DualAveragingOptions& o, double first,
                    const std::vector<double>& alphas) {
  Reference result;
  const double mu = std::log(10 * first);
  double H = 0;
  double log_average = 0;
  for (std::size_t i = 0; i < alphas.size(); ++i) {
    const double t = static_cast<double>(i) + 1;
    H = (1 - 1 / (t + o.t0)) * H + (o.target - alphas[i]) / (t + o.t0);
    const double log_step = mu - std::sqrt(t) / o.gamma * H;
    const double weight = std::pow(t, -o.kappa);
    log_average = weight * log_step + (1 - weight) * log_average;
    result.steps.push_back(std::exp(log_step));
  }
  result.average = std::exp(log_average);
  return result;
}

TEST(DualAveraging, FollowsThePublishedRecursion) {
  const std::vector<double> alphas = {0.9, 0.1, 1, 0, 0.75, 0.8, 0.99, 0.3};
  for (const DualAveragingOptions& options :
       {DualAveragingOptions{},
        DualAveragingOptions{.target = 0.6, .gamma = 0.2, .t0 = 3, .kappa = 0.9}}) {
    DualAveraging averaging(options);
    averaging.restart(0.2);
    const Reference wanted = reference(options, 0.2, alphas);
    for (std::size_t i = 0; i < alphas.size(); ++i) {
      EXPECT_NEAR(averaging.learn(alphas[i]), wanted.steps[i], 1e-12 * wanted.steps[i]);
    }
    EXPECT_NEAR(averaging.average(), wanted.average, 1e-12 * wanted.average);
  }
}

TEST(DualAveraging, StaysAtTenTimesTheFirstStepWhenTheAcceptanceIsRight) {
  DualAveraging averaging(DualAveragingOptions{.target = 0.8});
  averaging.restart(0.05);
  for (int t = 0; t < 20; ++t) EXPECT_NEAR(averaging.learn(0.8), 0.5, 1e-14);
  EXPECT_NEAR(averaging.average(), 0.5, 1e-14);
}

TEST(DualAveraging, TakesAnAcceptanceAboveOneForOne) {
  DualAveraging one(DualAveragingOptions{});
  DualAveraging more(DualAveragingOptions{});
  one.restart(1);
  more.restart(1);
  EXPECT_EQ(more.learn(1.7), one.learn(1));
}

TEST(DualAveraging, ForgetsEverythingAtARestart) {
  DualAveraging used(DualAveragingOptions{});
  used.restart(3);
  for (const double alpha : {0.0, 0.2, 1.0}) used.learn(alpha);
  used.restart(0.1);
  DualAveraging fresh(DualAveragingOptions{});
  fresh.restart(0.1);
  EXPECT_EQ(used.learn(0.4), fresh.learn(0.4));
  EXPECT_EQ(used.average(), fresh.average());
}

TEST(DualAveraging, FindsTheStepWithTheWantedAcceptance) {
  // acceptance e^-step is 0.8 at step = -log 0.8
  DualAveraging averaging(DualAveragingOptions{.target = 0.8});
  double step = 2;
  averaging.restart(step);
  for (int t = 0; t < 2000; ++t) step = averaging.learn(std::exp(-step));
  EXPECT_NEAR(averaging.average(), -std::log(0.8), 0.01);
}

}  // namespace
}  // namespace gadwall
