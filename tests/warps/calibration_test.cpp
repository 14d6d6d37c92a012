// Simulation-based calibration (Talts et al. 2018) of the default sampler on a centred hierarchy,
// whose neck it learns away: where parameters are drawn from their prior and data from these, the
// rank of a parameter among draws from its posterior is uniform.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "gadwall/noise.hpp"
#include "gadwall/sample.hpp"

namespace gadwall {
namespace {

constexpr Index kGroups = 8;
constexpr Index kDim = kGroups + 2;
constexpr Index kFits = 200;
constexpr Index kRanks = 96;  // 95 posterior draws
constexpr Index kBins = 8;
constexpr double kPriorOfMean = 5;

/// mu ~ N(0, 5), d = log tau ~ N(0, 1), theta_j ~ N(mu, tau), y_j ~ N(theta_j, s_j);
/// x = (mu, d, theta).
struct CentredHierarchy {
  Vector y, s;

  double operator()(ConstVectorRef x, VectorRef grad) const {
    const double mu = x[0], d = x[1], precision = std::exp(-2 * d);
    const auto theta = x.tail(kGroups).array();
    const Eigen::ArrayXd off = theta - mu, miss = (y.array() - theta) / s.array().square();
    const double squares = off.square().sum() * precision;
    grad[0] = -mu / (kPriorOfMean * kPriorOfMean) + precision * off.sum();
    grad[1] = -d + squares - static_cast<double>(kGroups);
    grad.tail(kGroups) = (miss - precision * off).matrix();
    return -mu * mu / (2 * kPriorOfMean * kPriorOfMean) - d * d / 2 - squares / 2 -
           static_cast<double>(kGroups) * d - (miss * (y.array() - theta)).sum() / 2;
  }
};

struct Simulated {
  Vector truth;
  CentredHierarchy model;
};

Simulated simulate(std::uint64_t number) {
  Vector normal(kDim + kGroups);
  fill_normal(NoiseKey{2018, 0, number}, Purpose::start, normal);
  Simulated made{Vector(kDim), {Vector(kGroups), Vector::LinSpaced(kGroups, 0.5, 3)}};
  made.truth[0] = kPriorOfMean * normal[0];
  made.truth[1] = normal[1];
  made.truth.tail(kGroups) =
      (made.truth[0] + std::exp(made.truth[1]) * normal.segment(2, kGroups).array());
  made.model.y = made.truth.tail(kGroups) + made.model.s.cwiseProduct(normal.tail(kGroups));
  return made;
}

/// How many of kRanks - 1 draws, evenly taken from all chains, are below.
Index rank_of(double truth, const std::vector<Chain>& chains, Index parameter) {
  const auto count = static_cast<Index>(chains.size());
  Index below = 0;
  for (Index i = 0; i + 1 < kRanks; ++i) {
    const Matrix& draws = chains[static_cast<std::size_t>(i % count)].draws;
    const Index row = (i / count) * draws.rows() / ((kRanks + count - 1) / count);
    below += draws(row, parameter) < truth ? 1 : 0;
  }
  return below;
}

TEST(WarpCalibration, RanksOfACentredHierarchyAreUniform) {
  constexpr std::array<Index, 4> kParameters = {0, 1, 2, kDim - 1};
  Matrix bins = Matrix::Zero(kBins, static_cast<Index>(kParameters.size()));
  Index warped = 0;
  for (Index fit = 0; fit < kFits; ++fit) {
    const Simulated made = simulate(static_cast<std::uint64_t>(fit));
    SampleOptions options;
    options.run.seed = static_cast<std::uint64_t>(fit) + 1;
    options.run.threads = 1;
    options.check_gradient = fit == 0;
    const SampleResult result = sample(made.model, kDim, options);
    EXPECT_TRUE(result.warnings.empty());
    warped += result.tuning().warp ? 1 : 0;
    for (std::size_t p = 0; p < kParameters.size(); ++p) {
      const Index rank = rank_of(made.truth[kParameters[p]], result.draws.chains, kParameters[p]);
      bins(rank * kBins / kRanks, static_cast<Index>(p)) += 1;
    }
  }
  EXPECT_GT(warped, kFits / 2);  // else this would be a test of something else
  constexpr double kExpected = static_cast<double>(kFits) / kBins;
  constexpr double kLimit = 29.88;  // of chi-square with 7 degrees of freedom, 1 in 10,000
  const Eigen::ArrayXd chi_square =
      (bins.array() - kExpected).square().colwise().sum().transpose() / kExpected;
  for (std::size_t p = 0; p < kParameters.size(); ++p) {
    EXPECT_LT(chi_square[static_cast<Index>(p)], kLimit) << "parameter " << kParameters[p];
  }
}

}  // namespace
}  // namespace gadwall
