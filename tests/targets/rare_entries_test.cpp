// Columns that nearly always have one value, and the products with what differs.
#include "targets/rare_entries.hpp"

#include <gtest/gtest.h>

#include "targets/logistic.hpp"
#include "targets/signed_rows.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

/// Every third column normal, the others the same number in all rows but every 25th and 31st; the
/// bias last.
Matrix mostly_usual(Index rows, Index columns) {
  Matrix design = normal_matrix(rows, columns, 1);
  const Matrix usual = normal_matrix(1, columns, 2);
  for (Index j = 0; j < columns; ++j) {
    if (j % 3 == 0) continue;
    for (Index i = 0; i < rows; ++i) {
      if ((i + j) % 25 != 0 && (i + 2 * j) % 31 != 0) design(i, j) = usual(0, j);
    }
  }
  design.rightCols(1).setOnes();
  return design;
}

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

/// The same target with the bare design: sums as the textbook has them.
Evaluation plain(const Matrix& design, const Vector& labels, const Matrix& w) {
  Evaluation at(Logistic(design, labels, 1), w);
  const Vector signs = 2 * labels.array() - 1;
  for (Index k = 0; k < w.cols(); ++k) {
    const Vector margin = signs.cwiseProduct(design * w.col(k));
    at.logp[k] = -(-margin.array()).exp().log1p().sum() - w.col(k).squaredNorm() / 2;
    const Vector residual = signs.array() / (1 + margin.array().exp());
    at.grad.col(k) = design.transpose() * residual - w.col(k);
  }
  return at;
}

TEST(RareEntries, DoNotChangeTheLogisticTargetWhateverTheNumberOfRowsAndLanes) {
  for (const Index rows : {33, 200, 1001}) {
    for (const Index columns : {20, 61}) {
      const Matrix design = mostly_usual(rows, columns);
      const Vector labels = some_labels(rows);
      const Logistic target(design, labels, 1);
      for (const Index lanes : {1, 2, 3, 7, 16, 19}) {
        const Matrix w = 0.3 * normal_matrix(columns, lanes, 4);
        const Evaluation at(target, w), wanted = plain(design, labels, w);
        EXPECT_LT(((at.logp - wanted.logp).array() / wanted.logp.array()).abs().maxCoeff(), 1e-13);
        EXPECT_LT((at.grad - wanted.grad).norm(), 1e-13 * wanted.grad.norm()) << lanes;
      }
    }
  }
}

TEST(RareEntries, DoNotChangeTheHessianProduct) {
  const Matrix design = mostly_usual(500, 30);
  const Vector labels = some_labels(500);
  const Matrix w = 0.3 * normal_matrix(30, 3, 4), v = normal_matrix(30, 3, 5);
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
