// The distance between what was learnt and what was drawn.
#include "report/learnt_data.hpp"

#include <gtest/gtest.h>

#include "gadwall/noise.hpp"
#include "gadwall/warp.hpp"

namespace gadwall::report {
namespace {

Matrix some_covariance() {
  return Matrix{{2, 0.5, 0}, {0.5, 1, -0.3}, {0, -0.3, 4}};
}

TEST(ShapeDistance, IsZeroForTheSameShapeAtAnyScale) {
  EXPECT_NEAR(shape_distance(7 * some_covariance(), some_covariance()), 0, 1e-7);
}

TEST(ShapeDistance, IsTheLeastRelativeDistanceOverTheScale) {
  const Matrix a = Matrix::Identity(3, 3);
  const Matrix s = some_covariance();
  double least = 1e300;
  for (double c = 0; c < 5; c += 1e-4) least = std::min(least, (c * a - s).norm() / s.norm());
  EXPECT_NEAR(shape_distance(a, s), least, 1e-6);
}

TEST(ShapeDistance, IsOneForOrthogonalShapesAndNaNForNone) {
  const Matrix a = Vector{{1, 0}}.asDiagonal();
  const Matrix s = Vector{{0, 1}}.asDiagonal();
  EXPECT_DOUBLE_EQ(shape_distance(a, s), 1);
  EXPECT_TRUE(std::isnan(shape_distance(a, Matrix::Zero(2, 2))));
}

TEST(AsCorrelation, HasAUnitDiagonal) {
  const Matrix r = as_correlation(some_covariance());
  EXPECT_TRUE(r.diagonal().isOnes(1e-14));
  EXPECT_DOUBLE_EQ(r(0, 1), 0.5 / std::sqrt(2));
}

Draws made_draws() {
  Draws draws;
  draws.names = {"a", "b", "c"};
  for (std::uint32_t c = 0; c < 2; ++c) {
    Matrix x(50, 3);
    fill_normal(LaneNoise{1, 100 * c, 0}, Purpose::proposal, x);
    draws.chains.push_back({x, Matrix(50, 0)});
  }
  return draws;
}

TEST(PosteriorCovariance, PoolsTheChains) {
  const Draws draws = made_draws();
  Matrix all(100, 3);
  all << draws.chains[0].draws, draws.chains[1].draws;
  const Matrix centred = all.rowwise() - all.colwise().mean();
  EXPECT_TRUE(posterior_covariance(draws).isApprox(centred.transpose() * centred / 99, 1e-12));
}

TEST(LearntData, IsNullWhereTheFileHasNone) {
  EXPECT_TRUE(learnt_data(made_draws()).is_null());
}

TEST(LearntData, ComparesInTheSameCoordinatesOnly) {
  Draws draws = made_draws();
  draws.learnt.push_back({Tuning(Factor::diagonal(Vector{{1, 2, 3}}), 0.5), {}});
  const Json same = learnt_data(draws);
  EXPECT_TRUE(same["posterior"].is_string());
  EXPECT_EQ(same["batches"][0]["kind"], "diag");
  EXPECT_EQ(same["batches"][0]["step"], 0.5);
  EXPECT_EQ(same["batches"][0]["diagonal"], Json({1.0, 2.0, 3.0}));
  const Matrix learnt = Vector{{1, 4, 9}}.asDiagonal();
  EXPECT_DOUBLE_EQ(same["batches"][0]["distance"],
                   shape_distance(learnt, posterior_covariance(draws)));
  draws.learnt = {{Tuning(Factor::unit(2)), {}}};
  const Json other = learnt_data(draws);
  EXPECT_TRUE(other["posterior"].is_null());
  EXPECT_FALSE(other["batches"][0].contains("distance"));
}

TEST(LearntData, HasTheColumnsThatTheAdapterRecorded) {
  Draws draws = made_draws();
  Learnt learnt{Tuning(Factor::unit(3)), {}};
  learnt.trace.iteration = {5, 10};
  learnt.trace.recorded = {{"beta", {1, 2}}, {"damping", {0.5, std::nan("")}}};
  draws.learnt.push_back(learnt);
  const Json recorded = learnt_data(draws)["batches"][0]["trace"]["recorded"];
  EXPECT_EQ(recorded["beta"], Json({1.0, 2.0}));
  EXPECT_EQ(recorded["damping"][0], 0.5);
}

TEST(LearntData, ShowsAFactorOfLowRank) {
  Draws draws = made_draws();
  const Factor factor = Factor::low_rank(Vector{{1, 2, 3}}, Vector{{0.6, 0, 0.8}}, Vector{{5}});
  draws.learnt.push_back({Tuning(factor), {}});
  const Json batch = learnt_data(draws)["batches"][0];
  EXPECT_EQ(batch["kind"], "lowrank");
  EXPECT_EQ(batch["lists"], (Json{{"scales", {1.0, 2.0, 3.0}}, {"eigenvalues", {5.0}}}));
  const Eigen::MatrixXf covariance = factor.covariance().cast<float>();
  EXPECT_EQ(batch["covariance"], base64_of(std::vector<float>(
                                     covariance.data(), covariance.data() + covariance.size())));
  EXPECT_DOUBLE_EQ(batch["distance"],
                   shape_distance(factor.covariance(), posterior_covariance(draws)));
}

/// b drives a and c, c half of it.
Tuning warped_tuning() {
  WarpLayer layer;
  layer.driver = 1;
  layer.members = {0, 2};
  layer.exponent = -2;
  layer.centring = Vector{{1, 0.5}};
  layer.pull = layer.driven_pull = Vector::Zero(2);
  layer.directions = Vector{{2, 3}}.asDiagonal();
  EXPECT_TRUE(layer.complete());
  Tuning tuning(Factor::unit(3));
  tuning.warp = std::make_shared<const Warp>(std::vector<WarpLayer>{layer});
  return tuning;
}

TEST(LearntData, SaysWhatTheChangeOfVariablesIs) {
  Draws draws = made_draws();
  draws.facts.parameters = draws.dim();
  draws.learnt.push_back({warped_tuning(), {}});
  const Json data = learnt_data(draws);
  EXPECT_TRUE(data["posterior"].is_null());
  ASSERT_EQ(data["warp"].size(), 1u);
  const Json layer = data["warp"][0];
  EXPECT_EQ(layer["driver"], "b");
  EXPECT_EQ(layer["exponent"], -2.0);
  EXPECT_EQ(layer["members"], Json::array({Json::array({"a", 1.0}), Json::array({"c", 0.5})}));
  EXPECT_EQ(layer["centring"], Json::array({1.0, 0.5}));
}

TEST(LearntData, NamesCoordinatesThatAreNoParametersByNumber) {
  Draws draws = made_draws();
  draws.names = {"a", "b", "c", "d"};
  draws.facts.parameters = 4;
  for (Chain& chain : draws.chains) chain.draws.conservativeResize(Eigen::NoChange, 4);
  draws.learnt.push_back({warped_tuning(), {}});
  EXPECT_EQ(learnt_data(draws)["warp"][0]["driver"], "coordinate 2");
  draws.facts.parameters = 3;
  EXPECT_EQ(learnt_data(draws)["warp"][0]["driver"], "b");
}

TEST(LearntData, NeverMakesAMatrixOfVeryManyParameters) {
  Draws draws;
  draws.names.resize(200000);
  draws.chains.push_back({Matrix::Zero(2, 200000), Matrix(2, 0)});
  draws.learnt = {{Tuning(Factor::first(Metric::low_rank, 200000, 1)), {}}};
  EXPECT_TRUE(learnt_data(draws)["posterior"].is_null());
}

TEST(LearntData, ShowsEveryKthOfManyParameters) {
  Draws draws = made_draws();
  draws.learnt = {{Tuning(Factor::unit(1000)), {}}};
  const Json data = learnt_data(draws);
  EXPECT_LE(data["shown"].size(), 160U);
  EXPECT_EQ(data["batches"][0]["diagonal"].size(), 1000U);
}

}  // namespace
}  // namespace gadwall::report
