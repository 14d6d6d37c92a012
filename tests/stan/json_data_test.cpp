// Stan's JSON.
#include "stan/bridge/json_data.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gadwall_stan {
namespace {

using Dims = std::vector<std::size_t>;

Variables read(const std::string& text) {
  return JsonReader(text).read();
}

std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(StanJson, ReadsScalarsAndArrays) {
  const Variables v = read(R"({ "J": 8, "x": 1.5, "y": [28, 8, -3], "none": [] })");
  EXPECT_TRUE(v.at("J").is_integer);
  EXPECT_EQ(v.at("J").dims, Dims{});
  EXPECT_FALSE(v.at("x").is_integer);
  EXPECT_EQ(v.at("y").dims, Dims{3});
  EXPECT_EQ(v.at("y").values, (std::vector<double>{28, 8, -3}));
  EXPECT_EQ(v.at("none").dims, Dims{0});
}

TEST(StanJson, StoresTheFirstIndexFastest) {
  const Variable m = read(R"({"m": [[1, 2, 3], [4, 5, 6]]})").at("m");
  EXPECT_EQ(m.dims, (Dims{2, 3}));
  EXPECT_EQ(m.values, (std::vector<double>{1, 4, 2, 5, 3, 6}));
  const Variable a = read(R"({"a": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]})").at("a");
  EXPECT_EQ(a.values, (std::vector<double>{1, 5, 3, 7, 2, 6, 4, 8}));
}

TEST(StanJson, NamesElementsAsStanDoes) {
  const Variable m = read(R"({"m": [[1, 2], [3, 4]]})").at("m");
  EXPECT_EQ(element_names("m", m), (std::vector<std::string>{"m.1.1", "m.2.1", "m.1.2", "m.2.2"}));
  EXPECT_EQ(element_names("s", read(R"({"s": 1})").at("s")), std::vector<std::string>{"s"});
}

TEST(StanJson, TakesThePartsOfTuplesForVariables) {
  const Variables v =
      read(R"({"t": {"1": 0.5, "2": [1, 2], "3": {"1": 7}}, "u": [ {"1": 3}, {"1": 4} ],
               "w": [[{"1": 5}], [{"1": 6}]], "m": [[1, 2]]})");
  EXPECT_EQ(v.size(), 8U);
  EXPECT_EQ(v.at("t:1").values, std::vector<double>{0.5});
  EXPECT_EQ(element_names("t:2", v.at("t:2")), (std::vector<std::string>{"t:2.1", "t:2.2"}));
  EXPECT_EQ(v.at("t:3:1").values, std::vector<double>{7});
  EXPECT_EQ(v.at("u.2:1").values, std::vector<double>{4});
  EXPECT_EQ(v.at("w.2.1:1").values, std::vector<double>{6});
  EXPECT_EQ(v.at("m").dims, (Dims{1, 2}));
  EXPECT_NE(complaint(R"({"t": {"1": 1, "1": 2}})").find("'t:1' is there twice"),
            std::string::npos);
  EXPECT_EQ(complaint(R"({"u": [{"1": 1}, 2]})"),
            "JSON, line 1: 'u': '2' where a tuple is expected");
}

TEST(StanJson, TakesInfinitiesAndNaNAsWordsAndAsStrings) {
  const Variable v =
      read(R"({"v": [NaN, "NaN", Infinity, "+Inf", "-Inf", -Infinity, "inf"]})").at("v");
  EXPECT_FALSE(v.is_integer);
  EXPECT_TRUE(std::isnan(v.values[0]) && std::isnan(v.values[1]));
  EXPECT_EQ(v.values[2], INFINITY);
  EXPECT_EQ(v.values[3], INFINITY);
  EXPECT_EQ(v.values[4], -INFINITY);
  EXPECT_EQ(v.values[5], -INFINITY);
  EXPECT_EQ(v.values[6], INFINITY);
}

TEST(StanJson, DoesNotTakeLargeOrDecimalNumbersForIntegers) {
  EXPECT_FALSE(read(R"({"n": 3000000000})").at("n").is_integer);
  EXPECT_FALSE(read(R"({"n": 1e3})").at("n").is_integer);
  EXPECT_FALSE(read(R"({"n": [1, 2.0]})").at("n").is_integer);
}

TEST(StanJson, DoesNotTakeAQuotedNumberForANumber) {
  EXPECT_EQ(complaint(R"({"J": "8"})"),
            R"(JSON, line 1: 'J': "8" where a number without quotes is expected)");
  EXPECT_NE(complaint(R"({"y": [1, "2.5"]})").find("'y': \"2.5\""), std::string::npos);
}

TEST(StanJson, HasNoVariablesInAnEmptyTextOrObject) {
  EXPECT_TRUE(read("").empty());
  EXPECT_TRUE(read(" {} \n").empty());
}

TEST(StanJson, SaysTheLineOfWhatIsWrong) {
  EXPECT_EQ(complaint("{\"a\": 1,\n \"b\": x}"),
            "JSON, line 2: 'b': 'x' where a number is expected");
  EXPECT_EQ(complaint(R"({"b": {}})"), "JSON, line 1: '}' where '\"' is expected");
  EXPECT_NE(complaint(R"({"m": [[1, 2], [3]]})").find("'m' is not a rectangular"),
            std::string::npos);
  EXPECT_NE(complaint(R"({"m": [1, [2]]})").find("rectangular"), std::string::npos);
  EXPECT_NE(complaint(R"({"m": [[1], 2]})").find("rectangular"), std::string::npos);
  EXPECT_NE(complaint(R"({"a": 1, "a": 2})").find("'a' is there twice"), std::string::npos);
  EXPECT_NE(complaint(R"({"a": 1} 2)").find("more after"), std::string::npos);
  EXPECT_NE(complaint(R"({"a": [1, 2)").find("the end of the text"), std::string::npos);
  EXPECT_NE(complaint(R"([1])").find("'[' where '{' is expected"), std::string::npos);
  EXPECT_NE(complaint(R"({"a": 0x10})").find("'0x10' where a number"), std::string::npos);
}

}  // namespace
}  // namespace gadwall_stan
