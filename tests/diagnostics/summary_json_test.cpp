// The JSON object: its fields are a promise.
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "diagnostics/made_draws.hpp"

namespace gadwall {
namespace {

using gadwall::testing::good_draws;
using Json = nlohmann::ordered_json;

Json object(const Draws& draws) {
  return Json::parse(to_json(summarise(draws)));
}

TEST(SummaryJson, HasThePromisedFieldsInOrder) {
  const Json json = object(good_draws());
  const std::vector<std::string> promised = {"target",
                                             "sampler",
                                             "dim",
                                             "chains",
                                             "warmup",
                                             "draws",
                                             "seed",
                                             "seconds",
                                             "gradients",
                                             "accept_rate",
                                             "divergences",
                                             "ess_paper",
                                             "ess_bulk",
                                             "ess_tail",
                                             "ess_worst",
                                             "ess_worst_per_second",
                                             "ess_worst_per_gradient",
                                             "rhat_max",
                                             "parameters"};
  std::vector<std::string> there;
  for (const auto& item : json.items()) {
    if (std::ranges::count(promised, item.key()) > 0) there.push_back(item.key());
  }
  EXPECT_EQ(there, promised);
  const std::vector<std::string> of_parameter = {"name",     "mean",   "sd",        "q05",
                                                 "q50",      "q95",    "mcse_mean", "ess_bulk",
                                                 "ess_tail", "ess_sq", "rhat"};
  for (const std::string& field : of_parameter) {
    EXPECT_TRUE(json["parameters"][0].contains(field)) << field;
  }
}

TEST(SummaryJson, HoldsTheFactsOfTheRun) {
  Draws draws = good_draws();
  draws.facts.seed = std::numeric_limits<std::uint64_t>::max();
  draws.facts.divergences = 3;
  const Json json = object(draws);
  EXPECT_EQ(json["target"], "gaussian2d");
  EXPECT_EQ(json["sampler"], "nuts");
  EXPECT_EQ(json["dim"], 2);
  EXPECT_EQ(json["chains"], 4);
  EXPECT_EQ(json["warmup"], 1000);
  EXPECT_EQ(json["draws"], 500);
  EXPECT_EQ(json["seed"].get<std::uint64_t>(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(json["seconds"], Json::parse(R"({"warmup": 0.5, "sampling": 1.5, "total": 2.0})"));
  EXPECT_EQ(json["gradients"], Json::parse(R"({"warmup": 3000, "sampling": 1000, "total": 4000})"));
  EXPECT_EQ(json["accept_rate"], 0.8);
  EXPECT_EQ(json["divergences"], 3);
}

TEST(SummaryJson, HoldsTheNumbersOfTheSummaryToTheLastBit) {
  const Summary summary = summarise(good_draws());
  const Json json = Json::parse(to_json(summary));
  const ParameterDiagnostics& p = summary.parameters[1].values;
  const Json& there = json["parameters"][1];
  EXPECT_EQ(there["name"], "x.2");
  EXPECT_EQ(there["mean"], p.mean);
  EXPECT_EQ(there["sd"], p.sd);
  EXPECT_EQ(there["q05"], p.q05);
  EXPECT_EQ(there["q50"], p.q50);
  EXPECT_EQ(there["q95"], p.q95);
  EXPECT_EQ(there["mcse_mean"], p.mcse_mean);
  EXPECT_EQ(there["ess_bulk"], p.ess_bulk);
  EXPECT_EQ(there["ess_tail"], p.ess_tail);
  EXPECT_EQ(there["ess_sq"], p.ess_sq);
  EXPECT_EQ(there["rhat"], p.rhat);
  EXPECT_EQ(json["ess_paper"]["median"], summary.ess_paper.median);
  EXPECT_EQ(json["ess_bulk"]["min"], summary.ess_bulk.min);
  EXPECT_EQ(json["ess_tail"]["max"], summary.ess_tail.max);
  EXPECT_EQ(json["ess_worst"], summary.ess_worst);
  EXPECT_EQ(json["ess_worst_per_second"], summary.ess_worst / 2);
  EXPECT_EQ(json["ess_worst_per_gradient"], summary.ess_worst / 4000);
  EXPECT_EQ(json["rhat_max"], summary.rhat_max);
}

TEST(SummaryJson, WritesNullForNumbersThatJsonDoesNotHave) {
  Draws draws = good_draws();
  draws.chains[0].draws(0, 0) = std::numeric_limits<double>::infinity();
  draws.facts.seconds = {0, 0};
  draws.facts.gradients = {0, 0};
  const Json json = object(draws);
  EXPECT_TRUE(json["parameters"][0]["mean"].is_null());
  EXPECT_TRUE(json["parameters"][1]["mean"].is_number());
  EXPECT_TRUE(json["ess_worst"].is_null());
  EXPECT_TRUE(json["ess_worst_per_second"].is_null());
  EXPECT_TRUE(json["ess_worst_per_gradient"].is_null());
}

TEST(SummaryJson, IsValidWhateverTheNamesHold) {
  Draws draws = good_draws();
  draws.names = {"quote\" and \\", "not utf-8 \xff"};
  draws.facts.target = "größe\n";
  const Json json = object(draws);
  EXPECT_EQ(json["parameters"][0]["name"], "quote\" and \\");
  EXPECT_EQ(json["target"], "größe\n");
}

}  // namespace
}  // namespace gadwall
