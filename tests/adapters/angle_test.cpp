// The angle of the exact drift, learnt from made-up acceptances.
#include "adapters/angle.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gadwall {
namespace {

/// The angle that is found where an angle h is accepted with probability exp(-hardness h^3).
double angle_found(const AngleOptions& options, double hardness) {
  AngleSearch search(options);
  double angle = 1;
  search.restart(angle);
  for (int i = 0; i < 2000; ++i) {
    angle = search.learn(angle, std::exp(-hardness * std::pow(angle, 3)));
  }
  return search.found();
}

TEST(Angle, IsTheLargestThatIsAcceptedAsOftenAsItsSizeNeeds) {
  const AngleOptions options;
  for (const double hardness : {0.3, 1.0, 3.0, 100.0}) {
    const double angle = angle_found(options, hardness);
    EXPECT_NEAR(std::exp(-hardness * std::pow(angle, 3)), options.accept_at(angle), 0.01);
  }
  EXPECT_NEAR(std::exp(-100 * std::pow(angle_found(options, 100), 3)), 0.5, 0.02);
  for (const double easy : {0.0, 0.1}) EXPECT_EQ(angle_found(options, easy), options.most);
}

TEST(Angle, NeedsNoMoreThanIsAskedOfAQuarterTurn) {
  for (const double accept : {0.3, 0.85}) {
    const AngleOptions options{.accept = accept};
    EXPECT_NEAR(options.accept_at(1.5707963), accept, 1e-9);
    EXPECT_NEAR(options.accept_at(0), std::min(0.5, accept), 1e-12);
    EXPECT_NEAR(options.accept_at(2.5), accept, 1e-12);
  }
}

}  // namespace
}  // namespace gadwall
