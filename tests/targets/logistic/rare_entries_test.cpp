// Columns that nearly always have one value, and the products with what differs.
#include "targets/logistic/rare_entries.hpp"

#include <gtest/gtest.h>

#include "targets/logistic/logistic.hpp"
#include "targets/logistic/signed_rows.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

Vector some_labels(Index rows) {
  return (normal_matrix(rows, 1, 3).array() > 0.5).cast<double>();
}

TEST(RareEntries, AreFoundInColumnsThatNearlyAlwaysHaveOneValue) {
  const Matrix design = mostly_usual(200, 20);
  const RareEntries rare(design, Vector::Ones(200));
  ASSERT_EQ(rare.count(), 13);  // two thirds of 19 columns, and the bias
  EXPECT_EQ(rare.column(0), 1);
  EXPECT_EQ(rare.column(12), 19);
  EXPECT_EQ(rare.usual(12), 1);
  EXPECT_EQ(rare.dense_columns(), (std::vector<Index>{0, 3, 6, 9, 12, 15, 18}));
}

TEST(RareEntries, WithTheUsualValuesGiveTheDesignBack) {
  const Matrix design = mostly_usual(200, 20);
  const Vector signs = 2 * some_labels(200).array() - 1;
  const RareEntries rare(design, signs);
  Matrix again = design;
  for (Index c = 0; c < rare.count(); ++c) again.col(rare.column(c)).setConstant(rare.usual(c));
  for (Index i = 0; i < 200; i += 50) {
    for (const RareEntry& entry : rare.of_rows(i, 50)) {
      EXPECT_TRUE(entry.row >= i && entry.row < i + 50);
      again(entry.row, rare.column(entry.column)) += signs[entry.row] * entry.excess;
    }
  }
  EXPECT_LT((again - design).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(RareEntries, AreLeftAloneWhereListsDoNotPay) {
  EXPECT_EQ(RareEntries(normal_matrix(100, 9, 1), Vector::Ones(100)).count(), 0);
  Matrix bias_only = normal_matrix(100, 9, 1);
  bias_only.col(8).setOnes();  // a column of signs would take its place
  EXPECT_EQ(RareEntries(bias_only, Vector::Ones(100)).count(), 0);
  Matrix half = Matrix::Zero(100, 40);  // a vote without a majority worth the name
  half.topRows(45).setOnes();
  const RareEntries none(half, Vector::Ones(100));
  EXPECT_EQ(none.count(), 0);
  EXPECT_EQ(none.dense_columns().size(), 40U);
  EXPECT_TRUE(none.of_rows(0, 100).empty());
}

TEST(RareEntries, AreNoneWithoutRows) {
  const RareEntries rare(Matrix(0, 9), Vector(0));
  EXPECT_EQ(rare.count(), 0);
  EXPECT_TRUE(rare.of_rows(0, 0).empty());
}

TEST(RareEntries, DoNotChangeTheHessianProduct) {
  const Matrix design = mostly_usual(500, 30);
  const Vector labels = some_labels(500);
  const Matrix w = 0.3 * normal_matrix(30, 3, 4), v = normal_matrix(30, 3, 5);
  ASSERT_GT(SignedRows(design, labels).rare.count(), 0);
  Matrix out(30, 3);
  ASSERT_TRUE(Logistic(design, labels, 2).hessian_times(w, v, out));
  for (Index k = 0; k < 3; ++k) {
    const Vector p = 1 / (1 + (-(design * w.col(k)).array()).exp());
    const Vector weight = p.array() * (1 - p.array());
    const Vector wanted =
        -design.transpose() * weight.cwiseProduct(design * v.col(k)) - v.col(k) / 4;
    EXPECT_LT((out.col(k) - wanted).norm(), 1e-13 * wanted.norm());
  }
}

}  // namespace
}  // namespace gadwall
