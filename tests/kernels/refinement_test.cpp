// Steps in pieces: as few as are needed, the same there and back, and what they rescue. That exact
// draws stay exact is in stationarity_test.cpp.
#include "kernels/refinement.hpp"

#include <gtest/gtest.h>

#include "kernels/kernel_checks.hpp"
#include "targets/funnel.hpp"
#include "targets/gaussian.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

constexpr Refinement kRefinement{.most_halvings = 6, .tolerance = 0.5};

/// A Gaussian with standard deviation `width` in each of two dimensions.
Gaussian round_gaussian(double width) {
  return Gaussian(Vector::Zero(2), width * width * Matrix::Identity(2, 2));
}

Phase phase_at(Evaluator& density, const Vector& x, const Vector& v) {
  Phase z;
  z.resize(x.size(), 1);
  z.x = x;
  z.v = v;
  density.gradient(z.x, z.logp, z.grad);
  z.whitened = z.grad;
  return z;
}

TEST(Refinement, CutsAStepIntoAsFewPiecesAsKeepTheEnergy) {
  const Gaussian target = round_gaussian(0.1);
  Evaluator density(target);
  const Factor L = Factor::unit(2);
  const Phase start = phase_at(density, Vector{{0.05, -0.02}}, Vector{{1.0, -0.3}});
  Phase z = start;
  const RefinedStep step = refine(kRefinement, Integrator::leapfrog, density, L, 0.5, z);
  ASSERT_GT(step.halvings, 1);
  ASSERT_LT(step.halvings, kRefinement.most_halvings);
  const auto range_in_pieces = [&](Index halvings, Phase& end) {
    end = start;
    double low = start.energy(0), high = low;
    const Vector piece = Vector::Constant(1, 0.5 / static_cast<double>(Index{1} << halvings));
    for (Index i = 0; i < Index{1} << halvings; ++i) {
      leapfrog(density, L, piece, end);
      low = std::min(low, end.energy(0));
      high = std::max(high, end.energy(0));
    }
    return high - low;
  };
  Phase end;
  EXPECT_GT(range_in_pieces(step.halvings - 1, end), kRefinement.tolerance);
  EXPECT_LT(range_in_pieces(step.halvings, end), kRefinement.tolerance);
  EXPECT_EQ(z.x, end.x);
  EXPECT_EQ(z.v, end.v);
}

/// Wherever a step is called reversible, the one back has as many pieces and leads to the start.
TEST(Refinement, IsTheSameThereAndBack) {
  const Funnel target(3);
  Evaluator density(target);
  const Factor L = Factor::unit(3);
  int reversible = 0, others = 0;
  for (int i = 0; i < 400; ++i) {
    const Matrix draws = normal_matrix(3, 2, static_cast<std::uint64_t>(i + 1));
    const Phase start = phase_at(density, 2 * draws.col(0), draws.col(1));
    Phase whole = start;
    leapfrog(density, L, Vector::Constant(1, 1.0), whole);
    if (!kRefinement.is_rough(start.energy(0), whole.energy(0))) continue;
    Phase z = start;
    const RefinedStep there = refine(kRefinement, Integrator::leapfrog, density, L, 1.0, z);
    if (there.halvings == kRefinement.most_halvings) continue;  // may go to where all is lost
    Phase back = z, whole_back = z;
    leapfrog(density, L, Vector::Constant(1, -1.0), whole_back);
    const bool is_whole = !kRefinement.is_rough(z.energy(0), whole_back.energy(0));
    const RefinedStep again = refine(kRefinement, Integrator::leapfrog, density, L, -1.0, back);
    const bool is_same = !is_whole && again.halvings == there.halvings;
    EXPECT_EQ(there.is_reversible, is_same) << i;
    ++(there.is_reversible ? reversible : others);
    if (!there.is_reversible) continue;
    EXPECT_LT((back.x - start.x).norm(), 1e-9 * (1 + start.x.norm()));
    EXPECT_LT((back.v - start.v).norm(), 1e-9 * (1 + start.v.norm()));
  }
  EXPECT_GT(reversible, 20);
  EXPECT_GT(others, 5);
}

TEST(Refinement, CostsNothingWhereStepsAreSmoothAndIsCountedElsewhere) {
  for (const double width : {1.0, 0.02}) {
    const Gaussian target = round_gaussian(width);
    Evaluator density(target);
    const State now = state_at(density, width * normal_matrix(2, 30, 1));
    for (const bool is_nuts : {false, true}) {
      std::unique_ptr<Kernel> kernel;
      if (is_nuts) {
        kernel = std::make_unique<Nuts>(NutsOptions{.max_depth = 4, .refinement = kRefinement});
      } else {
        kernel = std::make_unique<Hmc>(HmcOptions{.leapfrogs = 3, .refinement = kRefinement});
      }
      const std::uint64_t before = density.tally().gradients;
      const Transition out =
          one_step(*kernel, density, Tuning(Factor::unit(2), 0.2), now, {1, 2, 3});
      const auto spent = static_cast<Index>(density.tally().gradients - before);
      EXPECT_EQ(spent, out.leapfrogs.sum());
      if (!is_nuts) {
        EXPECT_EQ(spent == 90, width == 1.0);
      }
    }
  }
}

/// Where a whole step is far too long: without pieces every trajectory diverges.
TEST(Refinement, MovesLanesThatWouldDiverge) {
  const Gaussian target = round_gaussian(0.01);
  Evaluator density(target);
  const State now = state_at(density, 0.01 * normal_matrix(2, 50, 1));
  const Tuning tuning(Factor::unit(2), 0.2);
  const LaneNoise noise{1, 2, 3};
  for (const Index halvings : {0, 6}) {
    const Refinement refinement{.most_halvings = halvings};
    const Transition hmc =
        one_step(Hmc({.leapfrogs = 2, .refinement = refinement}), density, tuning, now, noise);
    const Transition nuts =
        one_step(Nuts({.max_depth = 3, .refinement = refinement}), density, tuning, now, noise);
    EXPECT_EQ(hmc.divergent.all(), halvings == 0);
    EXPECT_EQ(hmc.divergent.any(), halvings == 0);
    EXPECT_EQ(nuts.divergent.any(), halvings == 0);
    EXPECT_EQ(hmc.accepted.count() > 30, halvings > 0);
    EXPECT_LT(hmc.accept.maxCoeff(), 1e-100);  // of whole steps
  }
}

}  // namespace
}  // namespace gadwall
