// Today's arrays in the words of Stan 2.21.
#include "stan/old_arrays.hpp"

#include <gtest/gtest.h>

namespace gadwall::stan {
namespace {

TEST(OldArrays, HaveTheirSizesBehindTheName) {
  EXPECT_EQ(with_old_arrays("array[N] real x;"), "real x[N];");
  EXPECT_EQ(with_old_arrays("array [N,M] int<lower=0, upper=K> y;"),
            "int<lower=0, upper=K> y[N,M];");
  EXPECT_EQ(with_old_arrays("array[J[1]] vector<lower=0>[K] theta;"),
            "vector<lower=0>[K] theta[J[1]];");
  EXPECT_EQ(with_old_arrays("array[2] cov_matrix[P + 1] S;\narray[3] simplex[K] p;"),
            "cov_matrix[P + 1] S[2];\nsimplex[K] p[3];");
}

TEST(OldArrays, MayBeDeclaredTogetherAndWithAValue) {
  EXPECT_EQ(with_old_arrays("array[N] real a, b;"), "real a[N], b[N];");
  EXPECT_EQ(with_old_arrays("array[2] real a = {f(1, 2), 3}, b;"),
            "real a[2] = {f(1, 2), 3}, b[2];");
}

TEST(OldArrays, AreTypesOfArgumentsAndResults) {
  EXPECT_EQ(with_old_arrays("array[] real f(array[,] int n, array [] vector x, data real y) {"),
            "real[] f(int[,] n, vector[] x, data real y) {");
}

TEST(OldArrays, MayHaveComparisonsInTheirBounds) {
  EXPECT_EQ(with_old_arrays("array[N] real<lower=(a > b) ? a : b> x;"),
            "real<lower=(a > b) ? a : b> x[N];");
}

TEST(OldArrays, KeepEveryLine) {
  EXPECT_EQ(with_old_arrays("array[N] // students\n  real x;"), "real\n x[N];");
  EXPECT_EQ(with_old_arrays("array[N,\nM] real x, y;"), "real x[N,\nM], y[N, M];");
  EXPECT_EQ(with_old_arrays("array[N]\n  real\n  x;"), "real\n\n  x[N];");
}

TEST(OldArrays, LeaveEverythingElseAlone) {
  for (const std::string same :
       {"real x[N]; // array[N] real x;\n", "/* array[N] real x; */ vector[N] y;",
        "print(\"array[N] real x\");", "my_array[N] = 1; arrays[2] = 3;", "real array_size;",
        "array[1] = 2;", "x = array[n];", "", "array"}) {
    EXPECT_EQ(with_old_arrays(same), same);
  }
}

TEST(OldArrays, DoNotGetLostInWhatIsNoProgram) {
  for (const std::string odd : {"array[", "array[N", "array[N] real", "array[N] real x",
                                "array[N] vector[", "array[N] real<", "\"", "/*", "array[N] x)"}) {
    EXPECT_NO_THROW(with_old_arrays(odd)) << odd;
  }
}

}  // namespace
}  // namespace gadwall::stan
