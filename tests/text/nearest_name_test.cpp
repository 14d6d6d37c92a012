// Suggestions for mistyped names.
#include "text/nearest_name.hpp"

#include <gtest/gtest.h>

namespace gadwall {
namespace {

const std::vector<std::string> samplers = {"rwm", "am", "gadrwm", "mala", "gadmala", "hmc", "nuts"};

TEST(NearestName, FindsOneEdit) {
  EXPECT_EQ(nearest_name("nut", samplers), "nuts");
  EXPECT_EQ(nearest_name("nutss", samplers), "nuts");
  EXPECT_EQ(nearest_name("gadmela", samplers), "gadmala");
}

TEST(NearestName, CountsASwapOfNeighboursAsOneEdit) {
  EXPECT_EQ(nearest_name("hcm", samplers), "hmc");
  EXPECT_EQ(nearest_name("lable", {"age", "label"}), "label");
}

TEST(NearestName, TakesUpperAndLowerCaseForTheSame) {
  EXPECT_EQ(nearest_name("NUTS", samplers), "nuts");
  EXPECT_EQ(nearest_name("y", {"x", "Y"}), "Y");
}

TEST(NearestName, PrefersTheNearest) {
  EXPECT_EQ(nearest_name("gadmalaa", {"gadmxla", "gadmala"}), "gadmala");
}

TEST(NearestName, AllowsOneEditForEveryThreeCharacters) {
  EXPECT_EQ(nearest_name("abcdef", {"abcdxy"}), "abcdxy");
  EXPECT_EQ(nearest_name("abcdef", {"abcxyz"}), "");
}

TEST(NearestName, IsEmptyWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("metropolis", samplers), "");
  EXPECT_EQ(nearest_name("", samplers), "");
  EXPECT_EQ(nearest_name("y", {"x", "z"}), "");
  EXPECT_EQ(nearest_name("y", {}), "");
}

}  // namespace
}  // namespace gadwall
