// Questions about the text of a program.
#include "stan/program_text.hpp"

#include <gtest/gtest.h>

namespace gadwall::stan {
namespace {

TEST(StanProgramText, FindsWordsOutsideOfCommentsAndStrings) {
  EXPECT_TRUE(has_word("tuple(real, real) t;", "tuple"));
  EXPECT_FALSE(has_word("real tuples; // tuple\n/* tuple\n tuple */ print(\"tuple\");", "tuple"));
  EXPECT_FALSE(has_word("reduce_sum_static(f)", "reduce_sum"));
  EXPECT_TRUE(has_word("print(\"a\"); tuple", "tuple"));
  EXPECT_EQ(without_asides("a // b\nc /* d\ne"), "a     \nc     \n ");
}

TEST(StanProgramText, KnowsAProgramThatWantsData) {
  EXPECT_TRUE(has_data("// m.stan\ndata { int N; }"));
  EXPECT_TRUE(has_data("functions { real f() { return 1; } }\ndata{\n  // size\n  int N;\n}"));
  EXPECT_TRUE(has_data("#include functions.stan\ndata { int N; }"));
  EXPECT_FALSE(has_data("data { }"));
  EXPECT_FALSE(has_data("data { /* nothing */ }"));
  EXPECT_FALSE(has_data("transformed data { int N = 1; }"));
  EXPECT_FALSE(has_data("parameters { real data_; }"));
}

}  // namespace
}  // namespace gadwall::stan
