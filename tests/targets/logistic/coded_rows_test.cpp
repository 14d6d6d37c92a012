// Designs of whole numbers as codes.
#include "targets/logistic/coded_rows.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "targets/logistic/signed_rows.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

constexpr CodedRows::Rival kSlowest{std::numeric_limits<double>::infinity(), 0};

std::optional<CodedRows> coded(const Matrix& design) {
  return CodedRows::of(design, Vector::Ones(design.rows()), kSlowest);
}

Matrix column(std::initializer_list<double> numbers) {
  Matrix design(static_cast<Index>(numbers.size()), 1);
  std::ranges::copy(numbers, design.data());
  return design;
}

/// What the codes stand for, the columns that fill up the last block included.
Matrix decoded(const CodedRows& rows) {
  const Index columns = rows.usual().size();
  Matrix design = Matrix::Zero(rows.signs().size(), rows.padded_columns());
  design.leftCols(columns).rowwise() = rows.usual().transpose();
  for (Index i = 0; i < design.rows(); ++i) {
    const CodedRow row = rows.row(i);
    for (std::size_t c = 0; c < 4 * row.blocks; ++c) {
      const Index j = 4 * Index{row.places[c / 4]} + static_cast<Index>(c % 4);
      const double step = j < columns ? rows.step()[j] : 1;
      design(i, j) += rows.signs()[i] * step * row.codes[c];
    }
  }
  return design;
}

TEST(CodedRows, GiveTheDesignBackUpToRounding) {
  const Matrix design = runs_of_counts(200, 61);
  const Vector signs = 2 * (normal_matrix(200, 1, 3).array() > 0.5).cast<double>() - 1;
  const auto rows = CodedRows::of(design, signs, kSlowest);
  ASSERT_TRUE(rows);
  const Matrix again = decoded(*rows);
  EXPECT_EQ(again.rightCols(3), Matrix::Zero(200, 3));
  for (Index j = 0; j < 61; ++j) {
    for (Index i = 0; i < 200; ++i) {
      const double size = std::max(std::abs(design(i, j)), std::abs(rows->usual()[j]));
      ASSERT_LE(std::abs(again(i, j) - design(i, j)), 1e-15 * size) << i << ", " << j;
    }
  }
}

TEST(CodedRows, LeaveOutBlocksThatAreAsUsual) {
  Matrix design = Matrix::Constant(50, 10, 0.25);
  design(3, 0) = 1;
  design(3, 9) = 2;
  design(7, 5) = 0.5;
  const auto rows = coded(design);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->padded_columns(), 12);
  ASSERT_EQ(rows->row(3).blocks, 2U);
  EXPECT_EQ(rows->row(3).places[0], 0);
  EXPECT_EQ(rows->row(3).places[1], 2);
  EXPECT_EQ(rows->row(7).blocks, 1U);
  EXPECT_EQ(rows->row(8).blocks, 0U);
}

TEST(CodedRows, FindTheStepWhereNoTwoNumbersAreOneApart) {
  const auto rows = coded(column({0, 0.6, 1.5, 0, 0}));  // 2 and 5 times 0.3
  ASSERT_TRUE(rows);
  EXPECT_NEAR(rows->step()[0], 0.3, 1e-16);
  EXPECT_EQ(rows->row(1).codes[0], 2);
  EXPECT_EQ(rows->row(2).codes[0], 5);
}

TEST(CodedRows, TakeTheNumberNearestToZeroWhereNoneIsUsual) {
  const auto rows = coded(column({3, -1, 30000, 3, -1, 30000}));
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->usual()[0], -1);
}

TEST(CodedRows, HoldNumbersOfUpTo32767Steps) {
  for (const double sign : {1, -1}) {
    const Vector signs = Vector::Constant(5, sign);
    const auto rows = CodedRows::of(column({0, 1, 32767, -32767, 0}), signs, kSlowest);
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->row(2).codes[0], sign * 32767);
    EXPECT_EQ(rows->row(3).codes[0], -sign * 32767);
  }
  EXPECT_FALSE(coded(column({0, 1, 32768, 0, 0})));
}

TEST(CodedRows, HoldUpTo262140Columns) {
  Matrix design = Matrix::Zero(2, 262140);
  design(1, 262139) = 1;
  const auto rows = coded(design);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->row(0).blocks, 0U);
  ASSERT_EQ(rows->row(1).blocks, 1U);
  EXPECT_EQ(rows->row(1).places[0], 65534);
  EXPECT_FALSE(coded(Matrix::Zero(2, 262141)));
}

TEST(CodedRows, AreNoneWhereNumbersAreNotOfWholeSteps) {
  EXPECT_FALSE(coded(normal_matrix(50, 3, 1)));
  Matrix one_off = runs_of_counts(200, 61);
  one_off(17, 30) += 1e-9;
  EXPECT_FALSE(coded(one_off));
  EXPECT_FALSE(coded(Matrix(0, 9)));
}

TEST(CodedRows, AreNoneWhereANumberIsNotFinite) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (const double usual : {0, 1}) {
      Matrix design = Matrix::Constant(41, 1, usual);
      design(30) = bad;
      EXPECT_FALSE(coded(design)) << bad;
      design(20) = 7;
      EXPECT_FALSE(coded(design)) << bad;
    }
  }
}

TEST(CodedRows, AreNoneWhereTheRivalCostsLess) {
  const Matrix design = runs_of_counts(200, 61);  // three to four blocks a row
  const Vector signs = Vector::Ones(200);
  EXPECT_TRUE(CodedRows::of(design, signs, {61, 0}));
  EXPECT_FALSE(CodedRows::of(design, signs, {25, 0}));
  EXPECT_TRUE(CodedRows::of(design, signs, {25, 1e9}));  // from memory all is slower
}

TEST(CodedRows, AreNoneForSmallTablesOfWholeNumbersThatVary) {
  const Matrix design = (10 * normal_matrix(200, 61, 1)).array().round();
  EXPECT_FALSE(SignedRows(design, Vector::Ones(200)).coded);
}

}  // namespace
}  // namespace gadwall
