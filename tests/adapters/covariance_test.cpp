// Adaptive Metropolis: L <- L + rate_t lower(L (w w^T - I)) with w = L^-1 (x' - mu), or as the
// text has it L + rate_t L lower(w w^T - I), by plain matrix arithmetic.
#include "adapters/covariance.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "adapters/lesson_testing.hpp"
#include "gadwall/gadwall.hpp"

namespace gadwall {
namespace {

using testing::HandMade;

/// The states after the decision, a column a lane.
Matrix states_after(const HandMade& made) {
  Matrix after = made.before.x;
  for (Index k = 0; k < after.cols(); ++k) {
    if (made.transition.accepted[k]) after.col(k) = made.transition.next.x.col(k);
  }
  return after;
}

/// One update with an explicit inverse; the change is the mean over the columns of `states`.
Matrix expected_factor(const Matrix& L, const Vector& mu, const Matrix& states, double rate,
                       bool by_the_text = false) {
  const Index n = L.rows();
  Matrix change = Matrix::Zero(n, n);
  for (Index k = 0; k < states.cols(); ++k) {
    const Vector w = L.inverse() * (states.col(k) - mu);
    Matrix bracket = w * w.transpose() - Matrix::Identity(n, n);
    if (by_the_text) bracket = Matrix(bracket.triangularView<Eigen::Lower>());
    change += L * bracket;
  }
  change /= static_cast<double>(states.cols());
  return L + rate * change.triangularView<Eigen::Lower>().toDenseMatrix();
}

/// What two lessons in a row leave, with x moving in between.
struct TwoLessons {
  TwoLessons(const CovarianceOptions& options, Index n, Index lanes)
      : first(n, lanes), second(n, lanes) {
    second.transition.next.x = testing::some_numbers(n, lanes, 33);
    if (lanes > 1) first.transition.accepted[1] = false;
    second.before.x = states_after(first);
    second.transition.accepted[0] = false;
    CovarianceAdapter adapter(options);
    Tuning tuning = adapter.initial_tuning(n);
    if (options.metric == Metric::dense)
      tuning = Tuning(Factor::dense(testing::some_factor(n, 9)), options.step.initial);
    start = tuning.factor().matrix();
    adapter.start(first.before, first.density, {}, tuning);
    adapter.learn(first.lesson(0), tuning);
    after_first = tuning.factor().matrix();
    adapter.learn(second.lesson(1), tuning);
    after_second = tuning.factor().matrix();
    step = tuning.step;
    kind = tuning.factor().kind();
  }

  /// The same by plain arithmetic: rates of L and of mu at t = 0 and t = 1.
  void expect(double rate0, double rate1, double mean_rate0, bool by_the_text = false) const {
    Vector mu = first.before.x.rowwise().mean();
    const Matrix states0 = states_after(first);
    Matrix L = expected_factor(start, mu, states0, rate0, by_the_text);
    EXPECT_LT((after_first - L).cwiseAbs().maxCoeff(), 1e-13);
    EXPECT_GT((after_first - start).cwiseAbs().maxCoeff(), 1e-4);
    mu += mean_rate0 * (states0.rowwise().mean() - mu);
    L = expected_factor(L, mu, states_after(second), rate1, by_the_text);
    EXPECT_LT((after_second - L).cwiseAbs().maxCoeff(), 1e-13);
  }

  HandMade first, second;
  Matrix start, after_first, after_second;
  double step = 0;
  Metric kind = Metric::unit;
};

constexpr double kRate = 0.2;
constexpr double kHorizon = 4;
constexpr double kLater = kRate / (1 + 1 / kHorizon);  // rate_1

TEST(CovarianceAdapter, BeginsWithAScaledIdentity) {
  const CovarianceOptions options{.initial_scale = 0.4, .step = {.initial = 0.3}};
  const Tuning dense = CovarianceAdapter(options).initial_tuning(3);
  EXPECT_EQ(dense.factor().kind(), Metric::dense);
  EXPECT_EQ(dense.factor().matrix(), Matrix(0.4 * Matrix::Identity(3, 3)));
  EXPECT_EQ(dense.step, 0.3);
  const Tuning diag =
      CovarianceAdapter({.metric = Metric::diag, .initial_scale = 2, .step = {}}).initial_tuning(3);
  EXPECT_EQ(diag.factor().kind(), Metric::diag);
  EXPECT_EQ(diag.factor().matrix_diagonal(), Vector(Vector::Constant(3, 2)));
}

TEST(CovarianceAdapter, FollowsTheUpdateOfTheCholeskyFactor) {
  TwoLessons({.rate = kRate, .horizon = kHorizon, .mean_rate = 0.3, .step = {}}, 4, 1)
      .expect(kRate, kLater, 0.3);
}

TEST(CovarianceAdapter, AveragesTheUpdatesOfTheLanes) {
  TwoLessons({.rate = kRate, .horizon = kHorizon, .mean_rate = 0.3, .step = {}}, 4, 3)
      .expect(kRate, kLater, 0.3);
}

TEST(CovarianceAdapter, FollowsTheTextWhereTheMeanHasNoRateOfItsOwn) {
  for (const Index lanes : {1, 3}) {
    TwoLessons({.rate = kRate, .horizon = kHorizon, .mean_rate = 0, .step = {}}, 4, lanes)
        .expect(kRate, kLater, kRate, true);
  }
}

/// The text's numbers on a target whose scales are those of Neal's Gaussian: |w|^2 comes to the
/// order of 1000 n while the mean lags behind.
TEST(CovarianceAdapter, StaysFiniteWithTheTextsNumbers) {
  const double n = 100;
  const auto target = find_target("neal100").make({}).target;
  const Settings settings = {{"covariance-rate", 0.001}, {"covariance-horizon", 4000},
                             {"mean-rate", 0},           {"step", 1},
                             {"step-rate", 0},           {"initial-scale", 0.1 / std::sqrt(n)}};
  RunOptions run;
  run.chains = 1;
  run.warmup = 3000;
  run.draws = 500;
  const SampleResult result = sample(target, {"am", settings, run});
  EXPECT_TRUE(result.tuning().factor().is_finite());
  EXPECT_GT(result.tuning().factor().matrix_diagonal().minCoeff(), 0);
  EXPECT_GT(result.draws.facts.accept_rate, 0.005);
}

TEST(CovarianceAdapter, SaysWhichFormsItLearns) {
  for (const Metric form : {Metric::unit, Metric::low_rank}) {
    const CovarianceAdapter adapter({.metric = form, .step = {}});
    EXPECT_THROW(adapter.initial_tuning(3), UsageError);
  }
}

TEST(CovarianceAdapter, LearnsTheDiagonalOfTheSameUpdate) {
  for (const Index lanes : {1, 3}) {
    const CovarianceOptions options{.metric = Metric::diag,
                                    .initial_scale = 0.8,
                                    .rate = kRate,
                                    .horizon = kHorizon,
                                    .mean_rate = 0.3,
                                    .step = {}};
    const TwoLessons learnt(options, 4, lanes);
    EXPECT_EQ(learnt.kind, Metric::diag);
    // With a diagonal L the coordinates do not meet: each is the update in one dimension.
    for (Index i = 0; i < 4; ++i) {
      Vector mu = learnt.first.before.x.row(i).rowwise().mean();
      const Matrix states0 = states_after(learnt.first).row(i);
      Matrix L = expected_factor(Matrix::Constant(1, 1, 0.8), mu, states0, kRate);
      EXPECT_NEAR(learnt.after_first(i, i), L(0, 0), 1e-13);
      mu += 0.3 * (states0.rowwise().mean() - mu);
      L = expected_factor(L, mu, states_after(learnt.second).row(i), kLater);
      EXPECT_NEAR(learnt.after_second(i, i), L(0, 0), 1e-13);
    }
  }
}

TEST(CovarianceAdapter, AdaptsItsGlobalStepToo) {
  const CovarianceOptions options{.step = {.initial = 0.5, .target_accept = 0.25, .rate = 0.01}};
  const TwoLessons learnt(options, 3, 1);  // accepted, then rejected
  EXPECT_NEAR(learnt.step, 0.5 * std::sqrt(1.03 * 0.99), 1e-14);
}

TEST(CovarianceAdapter, KeepsTheDiagonalPositiveAfterAnUnluckyState) {
  // x' - mu = (1, 1): w = (1, -99), so the plain update would take L_22 = 1 to 1 - 0.5 * 100.
  HandMade made(2, 1);
  made.before.x.setZero();
  made.transition.next.x.setOnes();
  CovarianceAdapter adapter({.rate = 0.5, .step = {}});
  Tuning tuning(Factor::dense(Matrix{{1, 0}, {100, 1}}));
  adapter.start(made.before, made.density, {}, tuning);
  adapter.learn(made.lesson(), tuning);
  EXPECT_GT(tuning.factor().matrix_diagonal().minCoeff(), 0);
  EXPECT_TRUE(tuning.factor().matrix().allFinite());
}

TEST(CovarianceAdapter, MakesKeptProductsStale) {
  HandMade made(2, 1);
  CovarianceAdapter adapter(CovarianceOptions{});
  Tuning tuning = adapter.initial_tuning(2);
  adapter.start(made.before, made.density, {}, tuning);
  const auto version = tuning.version();
  adapter.learn(made.lesson(), tuning);
  EXPECT_NE(tuning.version(), version);
}

}  // namespace
}  // namespace gadwall
