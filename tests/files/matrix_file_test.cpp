// Plain matrices and vectors from text.
#include "files/matrix_file.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "message_of.hpp"

namespace gadwall::files {
namespace {

TEST(MatrixFile, ReadsRowsOfNumbers) {
  Matrix expected(2, 3);
  expected << 1, -2, 3e5, 4, 0.5, 6;
  EXPECT_EQ(parse_matrix("1 -2 3e5\n4 .5 6\n", "m"), expected);
  EXPECT_EQ(parse_matrix("1,-2,3e5\n4,.5,6", "m"), expected);
  EXPECT_EQ(parse_matrix("a,b,c\n1,-2,3e5\n4,.5,6", "m"), expected);
}

TEST(MatrixFile, ReadsAVectorFromARowOrAColumn) {
  const Vector expected = Vector::LinSpaced(3, 1, 3);
  EXPECT_EQ(parse_vector("1 2 3\n", "v"), expected);
  EXPECT_EQ(parse_vector("1\n2\n3\n", "v"), expected);
  EXPECT_EQ(parse_vector("mean\n1\n2\n3\n", "v"), expected);
  EXPECT_EQ(parse_vector("4", "v"), Vector::Constant(1, 4));
}

TEST(MatrixFile, ReadsFromFiles) {
  const std::string path = testing::TempDir() + "gadwall_matrix_file_test.txt";
  std::ofstream(path) << "1 2\n";
  EXPECT_EQ(read_matrix(path), (Matrix(1, 2) << 1, 2).finished());
  EXPECT_EQ(read_vector(path), (Vector(2) << 1, 2).finished());
  std::remove(path.c_str());
}

TEST(MatrixFile, RefusesAMatrixWhereAVectorIsWanted) {
  EXPECT_EQ(testing::message_of([] { parse_vector("1 2\n3 4\n", "mean.txt"); }),
            "mean.txt: 2 rows of 2 numbers, expected one row or one column");
}

TEST(MatrixFile, NamesTheBadCell) {
  EXPECT_EQ(testing::message_of([] { parse_matrix("1 2\n3 x\n", "cov.txt"); }),
            "cov.txt:2: column 2: 'x' is not a number");
  EXPECT_EQ(testing::message_of([] { parse_matrix("1 2\n3\n", "cov.txt"); }),
            "cov.txt:2: 1 cell, expected 2 (as in line 1)");
}

}  // namespace
}  // namespace gadwall::files
