// Factors in the files of --save-tuning: there and back, the old keys, and files gone wrong.
#include "session/tuning_json.hpp"

#include <gtest/gtest.h>

#include "factors/factor_testing.hpp"
#include "gadwall/error.hpp"

namespace gadwall::session {
namespace {

using Json = nlohmann::json;

TEST(TuningJson, GivesEveryFormBackBitForBit) {
  for (const auto& form : testing::every_form(5)) {
    Json json;
    add_factor(form.factor, json);
    const Factor again = factor_from(Json::parse(json.dump()));
    EXPECT_EQ(again.kind(), form.factor.kind());
    EXPECT_EQ(again.matrix(), form.factor.matrix());
  }
}

TEST(TuningJson, GivesAWarpBackBitForBit) {
  WarpLayer layer;
  layer.driver = 1;
  layer.members = {0, 2};
  layer.exponent = -2;
  layer.centre = 0.1;
  layer.centring = Vector{{0.3, 1}};
  layer.pull = Vector{{1.0 / 3, 2}};
  layer.driven_pull = Vector{{0, -1e-17}};
  layer.directions = Matrix{{1, 0.1}, {-0.7, 2}};
  layer.bend = {0.1, 0.2, 0.3, 0, 0.4};
  ASSERT_TRUE(layer.complete());
  Json json;
  add_warp(Warp({layer, layer}), json);
  const Warp again = warp_from(Json::parse(json.dump()).at("warp"), 3);
  ASSERT_EQ(again.layers().size(), 2u);
  const std::vector<NamedArray> before = layer.parts(), after = again.layers()[1].parts();
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(after[i].values, before[i].values);
  json["warp"][0]["members"] = {0, 1};
  EXPECT_THROW(warp_from(json.at("warp"), 3), UsageError);
}

TEST(TuningJson, HasTheKeysThatFilesHaveAlwaysHad) {
  const auto json_of = [](const Factor& factor) {
    Json json;
    add_factor(factor, json);
    return json;
  };
  EXPECT_EQ(json_of(Factor::unit(3)), Json::parse(R"({"metric":"unit","dim":3})"));
  EXPECT_EQ(json_of(Factor::diagonal(Vector{{1, 2}})),
            Json::parse(R"({"metric":"diag","dim":2,"L":[1.0,2.0]})"));
  EXPECT_EQ(json_of(Factor::dense(Matrix{{2, 0}, {1, 3}})),
            Json::parse(R"({"metric":"dense","dim":2,"L":[[2.0],[1.0,3.0]]})"));
  EXPECT_EQ(json_of(Factor::low_rank(Vector{{1, 2}}, Vector{{0.6, 0.8}}, Vector{{5}})),
            Json::parse(R"({"metric":"lowrank","dim":2,"scales":[1.0,2.0],
                            "directions":[[0.6],[0.8]],"eigenvalues":[5.0]})"));
}

std::string complaint(const std::string& text) {
  try {
    factor_from(Json::parse(text));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(TuningJson, SaysWhatIsWrong) {
  EXPECT_EQ(complaint(R"({"metric":"unit","dim":0})"),
            "dim is 0, expected a whole number from 1 to 1000000000");
  EXPECT_EQ(complaint(R"({"metric":"diag","dim":2,"L":[1,null]})"),
            "'factor' of the factor holds nan, expected finite numbers");
  EXPECT_EQ(complaint(R"({"metric":"dense","dim":2,"L":[[1],[2]]})"), "L is not a lower triangle");
  EXPECT_EQ(complaint(R"({"metric":"dense","dim":3,"L":[[1],[2,3]]})"),
            "'factor' of the factor is 2 x 2, expected 3 x 3");
  EXPECT_EQ(complaint(R"({"metric":"lowrank","dim":2,"scales":[1,1],"directions":[[1],[]],
                          "eigenvalues":[2]})"),
            "the rows of directions differ in length");
  EXPECT_EQ(complaint(R"({"metric":"lowrank","dim":2,"scales":[1,1],"directions":[[1],[1]],
                          "eigenvalues":[2]})"),
            "'directions' of the factor is not orthonormal: U^T U differs from I by 1");
  EXPECT_THROW(factor_from(Json::parse(R"({"metric":"dense","dim":2})")), Json::exception);
}

}  // namespace
}  // namespace gadwall::session
