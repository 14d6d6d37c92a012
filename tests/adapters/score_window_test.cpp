// Metrics from the draws and scores of warm-up windows, by hand-made iterations on Gaussians.
#include "adapters/score_window.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "adapters/lesson_testing.hpp"
#include "adapters/metric.hpp"

namespace gadwall {
namespace {

using testing::HandMade;
using testing::some_numbers;

/// Draws of N(5, covariance), other ones at every iteration, as the lanes of a batch.
class GaussianLessons {
 public:
  GaussianLessons(const Matrix& covariance, Index lanes)
      : made(covariance.rows(), lanes),
        lower_(covariance.llt().matrixL()),
        precision_(covariance.inverse()) {}

  Lesson at(Index iteration) {
    State& next = made.transition.next;
    const Matrix x = draws(iteration, iteration, 1);
    next.x = x.array() + 5;
    next.grad = -precision_ * x;
    return made.lesson(static_cast<std::uint64_t>(iteration));
  }

  /// Of every thin-th iteration, the last one among them, about their mean.
  Matrix draws(Index first, Index last, Index thin) const {
    const Index n = made.before.dim(), lanes = made.before.lanes();
    const Index count = (last - first) / thin + 1;
    Matrix all(n, count * lanes);
    for (Index i = 0; i < count; ++i) {
      const Index iteration = last - (count - 1 - i) * thin;
      all.middleCols(i * lanes, lanes) =
          lower_ * some_numbers(n, lanes, 1000 + static_cast<std::uint64_t>(iteration));
    }
    return all;
  }

  Matrix covariance_from(Metric form, const Matrix& x) const {
    const auto found = score_metric(form, x, -precision_ * x, Vector::Ones(x.rows()));
    return found.value().covariance();
  }

  HandMade made;

 private:
  Matrix lower_, precision_;
};

Matrix autoregression(Index n) {
  Matrix covariance(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      covariance(i, j) = std::pow(0.5, std::abs(static_cast<double>(i - j))) *
                         std::exp(static_cast<double>(i + j));
    }
  }
  return covariance;
}

/// Two wide directions, all coordinates in them.
Matrix wide_in_two(Index n) {
  const Matrix numbers = some_numbers(n, 2, 4);
  const Matrix directions = numbers.householderQr().householderQ() * Matrix(Matrix::Identity(n, 2));
  return Matrix::Identity(n, n) +
         directions * Vector{{399, 99}}.asDiagonal() * directions.transpose();
}

/// What is left of the covariance in the coordinates of the factor, as standard deviations: 1 is
/// right.
Vector left_over(const Factor& factor, const Matrix& covariance) {
  const Matrix lower = covariance.llt().matrixL();
  return Eigen::JacobiSVD<Matrix>(factor.matrix().inverse() * lower).singularValues();
}

/// After some iterations of a warm-up of 200, whose windows are 75 ... 99 and 100 ... 149.
Factor learnt(const std::string& metric, GaussianLessons& lessons, Index iterations) {
  MetricOptions options;
  options.metric = metric;
  options.from = "scores";
  options.initial_step = 0.5;
  options.warmup = 200;
  MetricAdapter adapter(options);
  Tuning tuning = adapter.initial_tuning(lessons.made.before.dim());
  adapter.start(lessons.made.before, lessons.made.density, {}, tuning);
  for (Index t = 0; t < iterations; ++t) adapter.learn(lessons.at(t), tuning);
  return tuning.factor();
}

TEST(MetricFromScores, IsExactForAGaussianAfterTheFirstWindow) {
  const Matrix covariance = autoregression(6);
  for (const char* metric : {"dense", "auto"}) {
    GaussianLessons lessons(covariance, 1);
    const Factor factor = learnt(metric, lessons, 100);
    EXPECT_EQ(factor.kind(), Metric::dense) << metric;
    EXPECT_LT((left_over(factor, covariance).array() - 1).abs().maxCoeff(), 1e-3) << metric;
  }
}

TEST(MetricFromScores, IsExactForScalesAlone) {
  const Vector sds{{1e-5, 1, 300}};
  const Matrix covariance = sds.cwiseAbs2().asDiagonal();
  GaussianLessons lessons(covariance, 2);
  const Factor factor = learnt("diag", lessons, 100);
  EXPECT_EQ(factor.kind(), Metric::diag);
  EXPECT_LT((left_over(factor, covariance).array() - 1).abs().maxCoeff(), 1e-9);
}

/// 60 dimensions, 25 points after the first window, 75 after the second.
TEST(MetricFromScores, HasTheWideDirectionsOfAGaussianInLowRank) {
  const Matrix covariance = wide_in_two(60);
  for (const char* metric : {"lowrank", "auto"}) {
    GaussianLessons lessons(covariance, 1);
    for (const Index iterations : {100, 150}) {
      const Factor factor = learnt(metric, lessons, iterations);
      EXPECT_EQ(factor.kind(), Metric::low_rank) << metric;
      const Vector left = left_over(factor, covariance);
      EXPECT_LT(left[0], iterations == 100 ? 5 : 2.5) << metric << iterations;  // 20 without it
      EXPECT_GT(left[59], iterations == 100 ? 0.2 : 0.4) << metric << iterations;
    }
  }
}

TEST(MetricFromScores, HasTheFormThatItsPointsAllow) {
  const auto form = [](Index n, Index lanes, Index iterations) {
    GaussianLessons lessons(wide_in_two(n), lanes);
    return learnt("auto", lessons, iterations).kind();
  };
  EXPECT_EQ(form(7, 1, 100), Metric::diag);  // 25 points
  EXPECT_EQ(form(6, 1, 100), Metric::dense);
  EXPECT_EQ(form(18, 1, 150), Metric::dense);  // 75 with those of the window before
  EXPECT_EQ(form(19, 1, 150), Metric::diag);
  EXPECT_EQ(form(60, 1, 150), Metric::low_rank);
  EXPECT_EQ(form(60, 4, 150), Metric::dense);  // 300
}

/// 25 points of 30 dimensions.
TEST(MetricFromScores, IsBetterThanItsScalesFromFewerPointsThanDimensions) {
  const Matrix covariance = autoregression(30);
  GaussianLessons lessons(covariance, 1);
  const auto spread = [&](const char* metric) {
    const Vector left = left_over(learnt(metric, lessons, 100), covariance);
    return left[0] / left[29];
  };
  EXPECT_LT(spread("dense"), spread("diag"));
}

TEST(MetricFromScores, GoesOnAfterARestartAsIfNothingHadHappened) {
  const MetricOptions options{
      .metric = "auto", .initial_step = 0.5, .step = {}, .windows = {}, .warmup = 200};
  for (const Index stop : {60, 90, 110}) {  // before the windows, and in each
    GaussianLessons lessons(wide_in_two(12), 2);
    MetricAdapter whole(options), after(options);
    Tuning tuning = whole.initial_tuning(12);
    whole.start(lessons.made.before, lessons.made.density, {}, tuning);
    for (Index t = 0; t < stop; ++t) whole.learn(lessons.at(t), tuning);
    Archive saved;
    whole.archive(saved);
    Archive read(saved.bytes());
    after.archive(read);
    Tuning other = tuning;
    for (Index t = stop; t < 200; ++t) {
      whole.learn(lessons.at(t), tuning);
      after.learn(lessons.at(t), other);
    }
    EXPECT_EQ(tuning.factor().matrix(), other.factor().matrix()) << stop;
    EXPECT_EQ(tuning.step, other.step) << stop;
  }
}

/// The covariance that a window makes of iterations first ... last.
Matrix made_by(ScoreWindow& window, GaussianLessons& lessons, Index first, Index last) {
  for (Index t = first; t <= last; ++t) window.add(lessons.at(t), {first, last});
  return window.end(Factor::unit(lessons.made.before.dim())).value().covariance();
}

double largest(const Matrix& difference) {
  return difference.cwiseAbs().maxCoeff();
}

TEST(ScoreWindow, UsesThePointsOfTheOneBeforeWhileItHasTooFew) {
  GaussianLessons lessons(wide_in_two(8), 2);
  const auto from = [&](Index first, Index last) {
    return lessons.covariance_from(Metric::dense, lessons.draws(first, last, 1));
  };
  ScoreWindow window({.form = Metric::dense});
  EXPECT_LT(largest(made_by(window, lessons, 0, 9) - from(0, 9)), 1e-9);
  EXPECT_LT(largest(made_by(window, lessons, 10, 28) - from(0, 28)), 1e-9);   // 38 points of 40
  EXPECT_LT(largest(made_by(window, lessons, 29, 38) - from(10, 38)), 1e-9);  // not of two before
  EXPECT_LT(largest(made_by(window, lessons, 39, 58) - from(39, 58)), 1e-9);  // 40
}

TEST(ScoreWindow, UsesThoseOfTheLastOneAloneOnItsWayAndShrinksThemMore) {
  GaussianLessons lessons(wide_in_two(8), 2);
  ScoreWindow first({.form = Metric::dense, .is_on_its_way = true}), second = first;
  made_by(second, lessons, 0, 9);
  const Matrix found = made_by(second, lessons, 10, 28);
  EXPECT_EQ(found, made_by(first, lessons, 10, 28));
  ScoreWindow arrived({.form = Metric::dense});
  EXPECT_LT(found.norm(), 0.9 * made_by(arrived, lessons, 10, 28).norm());
}

TEST(ScoreWindow, NeedsFewerPointsWhereItIsRefined) {
  GaussianLessons lessons(autoregression(3), 2);
  const auto points = [&](const ScoreWindowOptions& options) {
    ScoreWindow window(options);
    for (Index t = 0; t <= 2999; ++t) window.add(lessons.at(t), {0, 2999});
    return window.gather(3).x().cols();
  };
  EXPECT_EQ(points({.form = Metric::low_rank}), 2000);
  EXPECT_EQ(points({.form = Metric::low_rank, .refine = true}), 1000);
  EXPECT_EQ(points({.form = Metric::low_rank, .rank = 150, .refine = true}), 1500);
  EXPECT_EQ(points({.form = Metric::low_rank, .rank = 1000, .refine = true}), 2000);
}

TEST(ScoreWindow, IsThinnedWhereItIsLong) {
  GaussianLessons lessons(autoregression(3), 2);
  ScoreWindow window({.form = Metric::dense});
  const Matrix found = made_by(window, lessons, 0, 2999);  // 6000 points, of which 2000 do
  const Matrix wanted = lessons.covariance_from(Metric::dense, lessons.draws(0, 2999, 3));
  EXPECT_LT(largest(found - wanted), 1e-9 * wanted.norm());
}

TEST(ScoreWindow, HasAtMostSoManyDirectionsOfDrawsAndOfScores) {
  GaussianLessons lessons(wide_in_two(30), 1);
  for (const Index rank : {1, 64}) {
    ScoreWindow window({.form = Metric::low_rank, .rank = rank});
    for (Index t = 0; t < 40; ++t) window.add(lessons.at(t), {0, 39});
    const std::optional<Factor> found = window.end(Factor::unit(30));
    ASSERT_TRUE(found);
    EXPECT_LE(found->as<LowRankFactor>().rank(), 2 * rank);
    EXPECT_GE(found->as<LowRankFactor>().rank(), std::min<Index>(rank, 2));
  }
}

}  // namespace
}  // namespace gadwall
