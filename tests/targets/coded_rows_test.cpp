// Designs of whole numbers as codes.
#include "targets/coded_rows.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

constexpr CodedRows::Rival kSlowest{std::numeric_limits<double>::infinity(), 0};

CodedRows coded(const Matrix& design) {
  return CodedRows(design, Vector::Ones(design.rows()), kSlowest);
}

bool can_be_coded(const Matrix& design) {
  return coded(design).are_used();
}

Matrix column(std::initializer_list<double> numbers) {
  Matrix design(static_cast<Index>(numbers.size()), 1);
  std::ranges::copy(numbers, design.data());
  return design;
}

/// What the codes stand for.
Matrix decoded(const CodedRows& rows) {
  const Index columns = rows.usual().size();
  Matrix design = rows.usual().transpose().replicate(rows.signs().size(), 1);
  for (Index i = 0; i < design.rows(); ++i) {
    const CodedRow row = rows.row(i);
    for (std::size_t c = 0; c < 4 * row.blocks; ++c) {
      const Index j = 4 * Index{row.places[c / 4]} + static_cast<Index>(c % 4);
      if (j < columns) design(i, j) += rows.signs()[i] * rows.step()[j] * row.codes[c];
    }
  }
  return design;
}

TEST(CodedRows, GiveTheDesignBack) {
  const Matrix design = runs_of_counts(200, 61);
  const Vector signs = 2 * (normal_matrix(200, 1, 3).array() > 0.5).cast<double>() - 1;
  const CodedRows rows(design, signs, kSlowest);
  ASSERT_TRUE(rows.are_used());
  const double largest = design.cwiseAbs().maxCoeff();
  EXPECT_LT((decoded(rows) - design).cwiseAbs().maxCoeff(), 1e-15 * largest);
}

TEST(CodedRows, LeaveOutBlocksThatAreAsUsual) {
  Matrix design = Matrix::Constant(50, 10, 0.25);
  design(3, 0) = 1;
  design(3, 9) = 2;
  design(7, 5) = 0.5;
  const CodedRows rows = coded(design);
  ASSERT_TRUE(rows.are_used());
  EXPECT_EQ(rows.padded_columns(), 12);
  ASSERT_EQ(rows.row(3).blocks, 2U);
  EXPECT_EQ(rows.row(3).places[0], 0);
  EXPECT_EQ(rows.row(3).places[1], 2);
  EXPECT_EQ(rows.row(7).blocks, 1U);
  EXPECT_EQ(rows.row(8).blocks, 0U);
}

TEST(CodedRows, FindTheStepWhereNoTwoNumbersAreOneApart) {
  const CodedRows rows = coded(column({0, 0.6, 1.5, 0, 0}));  // 2 and 5 times 0.3
  ASSERT_TRUE(rows.are_used());
  EXPECT_NEAR(rows.step()[0], 0.3, 1e-16);
  EXPECT_EQ(rows.row(1).codes[0], 2);
  EXPECT_EQ(rows.row(2).codes[0], 5);
}

TEST(CodedRows, HoldNumbersOfUpTo32767Steps) {
  EXPECT_TRUE(can_be_coded(column({0, 1, 32767, 0, 0})));
  EXPECT_TRUE(can_be_coded(column({0, 1, -32767, 0, 0})));
  EXPECT_FALSE(can_be_coded(column({0, 1, 32768, 0, 0})));
}

TEST(CodedRows, HoldNothingWhereNumbersAreNotOfWholeSteps) {
  EXPECT_FALSE(can_be_coded(normal_matrix(50, 3, 1)));
  Matrix one_off = runs_of_counts(200, 61);
  one_off(17, 30) += 1e-9;
  EXPECT_FALSE(can_be_coded(one_off));
  EXPECT_FALSE(can_be_coded(column({0, 1, 2, std::nan(""), 0})));
  EXPECT_FALSE(can_be_coded(column({0, 1, std::numeric_limits<double>::infinity(), 0, 0})));
  EXPECT_FALSE(can_be_coded(Matrix(0, 9)));
}

TEST(CodedRows, HoldNothingWhereTheRivalCostsLess) {
  const Matrix design = runs_of_counts(200, 61);  // three to four blocks a row
  const Vector signs = Vector::Ones(200);
  EXPECT_TRUE(CodedRows(design, signs, {61, 0}).are_used());
  EXPECT_FALSE(CodedRows(design, signs, {25, 0}).are_used());
  EXPECT_TRUE(CodedRows(design, signs, {25, 1e9}).are_used());  // from memory all is slower
}

}  // namespace
}  // namespace gadwall
