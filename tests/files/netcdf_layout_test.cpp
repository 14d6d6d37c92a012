// Names become arrays where they can, stay scalars where not, and always come back.
#include "files/netcdf_layout.hpp"

#include <gtest/gtest.h>

namespace gadwall::files {
namespace {

using Names = std::vector<std::string>;

Names names_in_file(const Names& names) {
  Names result;
  for (const VariableLayout& variable : group_names(names)) result.push_back(variable.name);
  return result;
}

/// As the reader does it.
Names restored(const Names& names) {
  Names result;
  for (const VariableLayout& variable : group_names(names)) {
    const Names elements = element_names(variable.original, variable.shape);
    result.insert(result.end(), elements.begin(), elements.end());
  }
  return result;
}

TEST(NetcdfLayout, GroupsVectorsAndMatricesInStansOrder) {
  const auto variables = group_names({"mu", "x.1", "x.2", "m.1.1", "m.2.1", "m.1.2", "m.2.2"});
  ASSERT_EQ(variables.size(), 3U);
  EXPECT_EQ(variables[1].shape, (std::vector<Index>{2}));
  EXPECT_EQ(variables[1].columns, (std::vector<Index>{1, 2}));
  EXPECT_EQ(variables[2].name, "m");
  EXPECT_EQ(variables[2].shape, (std::vector<Index>{2, 2}));
  EXPECT_EQ(variables[2].columns, (std::vector<Index>{3, 5, 4, 6}));  // rows of the file
}

TEST(NetcdfLayout, KeepsThreeIndicesApart) {
  const Names names = element_names("a", {2, 3, 4});
  EXPECT_EQ(names[1], "a.2.1.1");
  EXPECT_EQ(names[2], "a.1.2.1");
  EXPECT_EQ(names[6], "a.1.1.2");
  const auto variables = group_names(names);
  ASSERT_EQ(variables.size(), 1U);
  EXPECT_EQ(variables[0].columns[1], 6);  // a.1.1.2: the last index is fastest in the file
  EXPECT_EQ(variables[0].columns[4], 2);
  EXPECT_EQ(restored(names), names);
}

TEST(NetcdfLayout, LeavesScalarsWhereNamesFormNoArray) {
  for (const Names& names :
       {Names{"x.2", "x.3"}, Names{"x.1", "x.3"}, Names{"m.1.1", "m.1.2", "m.2.1", "m.2.2"},
        Names{"x.01", "x.02"}, Names{"x.1", "x.1"}, Names{".1", ".2"}, Names{"x.1.1", "x.2.2"}}) {
    EXPECT_EQ(group_names(names).size(), names.size()) << names.front();
    EXPECT_EQ(restored(names), names);
  }
}

TEST(NetcdfLayout, MakesNamesThatNetcdfAllowsAndThatDoNotMeet) {
  EXPECT_EQ(names_in_file({"a/b", "a_b", " x", "9", "tail ", "\x01"}),
            (Names{"a_b", "a_b_", "_ x", "9", "tail_", "_"}));
  EXPECT_EQ(names_in_file({"chain", "draw", "x", "x.1", "x.2"}),
            (Names{"chain_", "draw_", "x", "x_"}));
  EXPECT_EQ(names_in_file({"x_dim_0", "x.1", "x.2"}), (Names{"x_dim_0", "x_"}));
  EXPECT_EQ(names_in_file({"x.1", "x.2", "x_dim_0"}), (Names{"x", "x_dim_0_"}));
  const Names names = {"chain", "x_dim_0", "x.1", "x.2", "a/b", "x", ""};
  EXPECT_EQ(restored(names), names);
}

Names numbered(const std::string& before, int count, const std::string& after = "") {
  Names names;
  for (int i = 0; i < count; ++i) names.push_back(before + std::to_string(i) + after);
  return names;
}

/// All names of the run, from its variables.
Names names_again(const Names& names) {
  Names result;
  for (const VariableLayout& variable : group_names(names)) {
    for (const std::string& name : element_names(variable)) result.push_back(name);
  }
  return result;
}

TEST(NetcdfLayout, MakesFewVariablesOfThousandsOfNames) {
  Names names = numbered("column ", 20000);
  names.insert(names.begin() + 5, {"x.1", "x.2"});
  const auto variables = group_names(names);
  ASSERT_EQ(variables.size(), 3U);
  EXPECT_EQ(variables[0].name, "parameters");
  EXPECT_EQ(variables[0].labels, numbered("column ", 5));
  EXPECT_EQ(variables[1].name, "x");
  EXPECT_EQ(variables[2].name, "parameters_");
  EXPECT_EQ(variables[2].shape, std::vector<Index>{19995});
  EXPECT_EQ(variables[2].columns.front(), 7);
  EXPECT_EQ(names_again(names), names);
}

TEST(NetcdfLayout, MakesOneVariableOfThousandsOfArrays) {
  Names names;
  for (int i = 0; i < 5000; ++i) {
    names.push_back("a" + std::to_string(i) + ".1");
    names.push_back("a" + std::to_string(i) + ".2");
  }
  EXPECT_EQ(group_names(names).size(), 1U);
  EXPECT_EQ(names_again(names), names);
}

TEST(NetcdfLayout, KeepsAFewHundredNamesAsTheyAre) {
  EXPECT_EQ(group_names(numbered("b", 256)).size(), 256U);
  EXPECT_EQ(group_names(numbered("b", 257)).size(), 1U);
  Names late = numbered("x.", 300000);
  EXPECT_EQ(group_names(late).size(), 2U);  // x.0, and an array
  late.erase(late.begin(), late.begin() + 2);
  EXPECT_EQ(group_names(late).size(), 1U);  // x.2, x.3, ... are no array
}

TEST(NetcdfLayout, ShortensNamesThatOtherToolsCannotRead) {
  const std::string common(300, 'a');
  const auto variables = group_names({common + "1", common + "2", std::string(150, 'b'),
                                      std::string(199, 'c') + "\u00e9" + std::string(99, 'c')});
  EXPECT_LE(variables[0].name.size(), 210U);
  EXPECT_NE(variables[0].name, variables[1].name);
  EXPECT_EQ(variables[0].original, common + "1");
  EXPECT_EQ(variables[2].name, std::string(150, 'b'));
  EXPECT_EQ(variables[3].name.substr(0, 200), std::string(199, 'c') + "_");
}

}  // namespace
}  // namespace gadwall::files
