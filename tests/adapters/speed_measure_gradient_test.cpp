// The gradient of the log ratio r in L, as kernel and adapter make it together, against finite
// differences of r written as a ratio of Gaussian densities.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "adapters/lesson_testing.hpp"
#include "adapters/speed_measure.hpp"
#include "kernels/langevin.hpp"
#include "kernels/random_walk.hpp"
#include "targets/banana.hpp"
#include "targets/logistic/logistic.hpp"

namespace gadwall {
namespace {

struct PointValue {
  double logp;
  Vector grad;
};

PointValue value_at(const Target& target, const Vector& x) {
  Vector logp(1);
  Matrix grad(x.size(), 1);
  target.evaluate(x, logp, grad);
  return {logp[0], grad.col(0)};
}

/// Logarithm of exp(-|L^-1 (to - mean)|^2 / 2), mean = from + L L^T g / 2; |L| cancels in r.
double log_langevin(const Matrix& L, const Vector& from, const Vector& g, const Vector& to) {
  return -(L.inverse() * (to - from - L * (L.transpose() * g) / 2)).squaredNorm() / 2;
}

/// One point x and its noise: r as a function of L alone.
struct Ratio {
  const Target& target;
  ProposalKind proposal;
  Vector x, eps;

  Vector proposed(const Matrix& L) const {
    if (proposal == ProposalKind::random_walk) return x + L * eps;
    return x + L * (L.transpose() * value_at(target, x).grad) / 2 + L * eps;
  }

  /// The fast gradient takes the gradient at y for a constant, the one at the proposal of `frozen`.
  double operator()(const Matrix& L, const Matrix& frozen) const {
    const Vector y = proposed(L);
    const PointValue at_x = value_at(target, x);
    const PointValue at_y = value_at(target, y);
    if (proposal == ProposalKind::random_walk) return at_y.logp - at_x.logp;
    const bool fast = proposal == ProposalKind::langevin_fast;
    const Vector g_y = fast ? value_at(target, proposed(frozen)).grad : at_y.grad;
    return at_y.logp - at_x.logp + log_langevin(L, y, g_y, x) - log_langevin(L, x, at_x.grad, y);
  }

  Matrix finite_difference(const Matrix& L) const {
    constexpr double h = 1e-5;
    Matrix gradient = Matrix::Zero(L.rows(), L.cols());
    for (Index j = 0; j < L.cols(); ++j) {
      for (Index i = j; i < L.rows(); ++i) {
        Matrix up = L;
        Matrix down = L;
        up(i, j) += h;
        down(i, j) -= h;
        gradient(i, j) = ((*this)(up, L) - (*this)(down, L)) / (2 * h);
      }
    }
    return gradient;
  }
};

/// One iteration of kernel and adapter from the states x, and what it did.
struct Iteration {
  Iteration(const Target& target, ProposalKind proposal, const Matrix& L, const Matrix& x)
      : evaluator(target), before(x.rows(), x.cols()), transition(x.rows(), x.cols()) {
    before.x = x;
    evaluator.gradient(before.x, before.logp, before.grad);
    // With G = grad^2, L moves by rate * q, q = grad / (1 + |grad|), so grad = q / (1 - |q|). The
    // rate is below the entries of the diagonal of L, which therefore do not reach their floor.
    constexpr double rate = 0.1;
    SpeedMeasureAdapter adapter({.proposal = proposal, .learning_rate = rate, .beta = 1e-4});
    Tuning tuning(Factor::dense(L));
    const LaneNoise noise{5, 0, 0};
    if (proposal == ProposalKind::random_walk) {
      RandomWalk().step(evaluator, tuning, before, noise, adapter.wants(), transition);
    } else {
      Langevin().step(evaluator, tuning, before, noise, adapter.wants(), transition);
    }
    adapter.learn({transition, before, evaluator, noise, 0}, tuning);
    const Eigen::ArrayXXd q = (tuning.factor().matrix() - L).array() / rate;
    gradient = (q / (1 - q.abs())).matrix();
    gradient.diagonal() -= 1e-4 * L.diagonal().cwiseInverse();  // the entropy's share
  }

  Evaluator evaluator;
  State before;
  Transition transition;
  Matrix gradient;
};

void expect_the_gradient_of_r(const Target& target, ProposalKind proposal, const Matrix& L,
                              const Matrix& x) {
  const Iteration iteration(target, proposal, L, x);
  Matrix wanted = Matrix::Zero(L.rows(), L.cols());
  int downhill = 0;
  for (Index k = 0; k < x.cols(); ++k) {
    const Ratio ratio{target, proposal, x.col(k), iteration.transition.noise.col(k)};
    EXPECT_NEAR(iteration.transition.log_ratio[k], ratio(L, L), 1e-10);
    if (iteration.transition.log_ratio[k] >= 0) continue;
    wanted += ratio.finite_difference(L) / static_cast<double>(x.cols());
    ++downhill;
  }
  ASSERT_GT(downhill, 0);
  ASSERT_GT(wanted.norm(), 0.1);
  // The gradient was had from the step s = g / (1 + |g|), a float32: dg = (1 + |g|)^2 ds.
  const auto magnified = (1 + wanted.array().abs()).square();
  EXPECT_LT(((iteration.gradient - wanted).array().abs() / magnified).maxCoeff(), 1e-6);
}

void check(ProposalKind proposal) {
  const Matrix design = testing::some_numbers(30, 3, 50);
  const Vector labels = (testing::some_numbers(30, 1, 51).array() > 0).cast<double>();
  const Logistic logistic(design, labels, 1.5);
  const Banana banana(3, 0.05);
  const Matrix L = testing::some_factor(3, 9);
  for (const Index lanes : {1, 6}) {
    const Matrix x = 0.5 * testing::some_numbers(3, lanes, 7);
    expect_the_gradient_of_r(logistic, proposal, L, x);
    Matrix on_the_ridge = x;
    on_the_ridge.row(1).array() -= 5;  // x2 = curvature (x1^2 - 100) for small x1
    expect_the_gradient_of_r(banana, proposal, L, on_the_ridge);
  }
}

TEST(SpeedMeasureGradient, IsThatOfTheRatioForTheRandomWalk) {
  check(ProposalKind::random_walk);
}

TEST(SpeedMeasureGradient, IsThatOfTheRatioWithTheFarGradientHeldForTheFastLangevin) {
  check(ProposalKind::langevin_fast);
}

TEST(SpeedMeasureGradient, IsThatOfTheWholeRatioForTheExactLangevin) {
  check(ProposalKind::langevin_exact);
}

TEST(SpeedMeasureGradient, NeedsNoHessianOfTheTarget) {
  // The same density without a product with its Hessian: gradients are differenced instead.
  const Banana banana(2, 0.05);
  const auto bare = make_target(
      [&banana](ConstVectorRef x, VectorRef grad) {
        const PointValue value = value_at(banana, x);
        grad = value.grad;
        return value.logp;
      },
      2);
  const Matrix L = testing::some_factor(2, 9);
  const Matrix x = 2 * testing::some_numbers(2, 4, 7);
  const Matrix exact = Iteration(banana, ProposalKind::langevin_exact, L, x).gradient;
  const Matrix differenced = Iteration(*bare, ProposalKind::langevin_exact, L, x).gradient;
  EXPECT_LT((exact - differenced).norm(), 1e-6 * (1 + exact.norm()));
}

}  // namespace
}  // namespace gadwall
