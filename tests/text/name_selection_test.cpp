// Which values of a draw are kept.
#include "text/name_selection.hpp"

#include <gtest/gtest.h>

#include "gadwall/error.hpp"
#include "message_of.hpp"

namespace gadwall {
namespace {

using Indices = std::vector<Index>;
const std::vector<std::string> kNames = {"mu",        "theta.1",   "theta.2",
                                         "theta.3",   "sigma.1.1", "sigma.2.1",
                                         "sigma.1.2", "sigma.2.2", "theta_raw"};

TEST(NameSelection, TakesNamesStemsElementsAndRanges) {
  EXPECT_EQ(select_names(kNames, "mu"), (Indices{0}));
  EXPECT_EQ(select_names(kNames, "theta"), (Indices{1, 2, 3}));
  EXPECT_EQ(select_names(kNames, "theta.2"), (Indices{2}));
  EXPECT_EQ(select_names(kNames, "th*"), (Indices{1, 2, 3, 8}));
  EXPECT_EQ(select_names(kNames, "*.2, m?"), select_names(kNames, "mu,theta.2,sigma[1:2,2]"));
  EXPECT_EQ(select_names(kNames, "theta[2]"), (Indices{2}));
  EXPECT_EQ(select_names(kNames, "theta[2:3]"), (Indices{2, 3}));
  EXPECT_EQ(select_names(kNames, "sigma[2,1:2]"), (Indices{5, 7}));
}

TEST(NameSelection, TakesTuplesAndTheirParts) {
  const std::vector<std::string> names = {"t:1",     "t:2.1", "t:2.2",   "u.1:1",
                                          "u.1:2:1", "u.2:1", "u.2:2:1", "t_raw"};
  EXPECT_EQ(select_names(names, "t"), (Indices{0, 1, 2}));
  EXPECT_EQ(select_names(names, "t:1"), (Indices{0}));
  EXPECT_EQ(select_names(names, "t:2"), (Indices{1, 2}));
  EXPECT_EQ(select_names(names, "t:2[2]"), (Indices{2}));
  EXPECT_EQ(select_names(names, "u"), (Indices{3, 4, 5, 6}));
  EXPECT_EQ(select_names(names, "u[2]"), (Indices{5, 6}));
  EXPECT_EQ(select_names(names, "u.1:2"), (Indices{4}));
  EXPECT_THROW(select_names(names, "u[3]"), UsageError);
  EXPECT_THROW(select_names(names, "t:3"), UsageError);
}

TEST(NameSelection, KeepsTheOrderOfTheNamesAndNothingTwice) {
  EXPECT_EQ(select_names(kNames, "theta[3], mu,theta[2:3]"), (Indices{0, 2, 3}));
}

std::string refusal(const std::string& selection) {
  return testing::message_of([&] { select_names(kNames, selection); });
}

TEST(NameSelection, RefusesARangeThatHoldsMoreThanThereIs) {
  EXPECT_EQ(refusal("mu,theta[1:99]"),
            "'theta[1:99]' goes beyond the elements there are, theta[1:3]");
  EXPECT_EQ(refusal("sigma[1:3,1]"),
            "'sigma[1:3,1]' goes beyond the elements there are, sigma[1:2,1:2]");
  EXPECT_EQ(refusal("theta[1:3]"), "");
}

TEST(NameSelection, RefusesWhatFitsNothing) {
  for (const char* wrong : {"nu", "", "mu,", "theta[4]", "theta[1,1]", "theta[0]", "theta[3:2]",
                            "theta[1", "[1]", "theta[x]"}) {
    EXPECT_THROW(select_names(kNames, wrong), UsageError) << wrong;
  }
  EXPECT_NE(refusal("thetta").find("thetta"), std::string::npos);
}

}  // namespace
}  // namespace gadwall
