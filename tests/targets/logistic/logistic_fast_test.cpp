// The fast paths of the logistic target: every number of lanes, odd shapes, extreme logits.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "targets/logistic/logistic.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

/// A lane in long double, with what bounds its rounding errors: the sums of absolute terms.
struct Reference {
  long double logp = 0, logp_size = 0;
  std::vector<long double> grad, grad_size;
};

long double log_one_plus_exp(long double z) {
  return std::max(z, 0.0L) + log1pl(expl(-std::abs(z)));
}

Reference reference(const Matrix& design, const Vector& labels, const Vector& w) {
  const auto n = static_cast<std::size_t>(w.size());
  Reference out{-static_cast<long double>(w.squaredNorm()) / 2, w.squaredNorm() / 2, {}, {}};
  for (Index j = 0; j < w.size(); ++j) out.grad.push_back(-w[j]);
  out.grad_size.assign(n, w.cwiseAbs().maxCoeff());
  for (Index i = 0; i < design.rows(); ++i) {
    long double z = 0, size = 0;
    for (Index j = 0; j < w.size(); ++j) {
      z += static_cast<long double>(design(i, j)) * w[j];
      size += std::abs(design(i, j) * w[j]);
    }
    const long double sign = labels[i] == 1 ? 1 : -1;
    const long double q = 1 / (1 + expl(sign * z));
    out.logp -= log_one_plus_exp(-sign * z);
    out.logp_size += log_one_plus_exp(-sign * z) + q * size;
    for (std::size_t j = 0; j < n; ++j) {
      const long double entry = design(i, static_cast<Index>(j));
      out.grad[j] += sign * q * entry;
      out.grad_size[j] += std::abs(entry) * q * (1 + (1 - q) * size);
    }
  }
  return out;
}

/// All lanes, each error at most 16 roundings of its own size.
void expect_reference(const Matrix& design, const Matrix& w) {
  const Vector labels = (normal_matrix(design.rows(), 1, 2).array() > 0.3).cast<double>();
  const Logistic target(design, labels, 1);
  const Evaluation at(target, w);
  Vector alone(w.cols());
  Matrix none;
  target.evaluate(w, alone, none);
  constexpr double tolerance = 16 * std::numeric_limits<double>::epsilon();
  for (Index k = 0; k < w.cols(); ++k) {
    const Reference wanted = reference(design, labels, w.col(k));
    ASSERT_LE(std::abs(at.logp[k] - wanted.logp), tolerance * wanted.logp_size) << k;
    ASSERT_EQ(alone[k], at.logp[k]) << "density without gradient, lane " << k;
    for (std::size_t j = 0; j < wanted.grad.size(); ++j) {
      ASSERT_LE(std::abs(at.grad(static_cast<Index>(j), k) - wanted.grad[j]),
                tolerance * wanted.grad_size[j])
          << "lane " << k << ", coordinate " << j;
    }
  }
}

TEST(LogisticFast, EqualsTheLongDoubleReferenceForEveryNumberOfLanes) {
  const Matrix design = normal_matrix(131, 7, 1);
  for (Index lanes = 1; lanes <= 40; ++lanes) {
    SCOPED_TRACE(lanes);
    expect_reference(design, normal_matrix(7, lanes, 3));
  }
}

TEST(LogisticFast, EqualsTheLongDoubleReferenceForOddShapes) {
  for (const Index rows : {1, 2, 3, 15, 16, 17, 47, 49, 97, 200}) {
    for (const Index columns : {1, 2, 3, 4, 5, 25, 49, 53, 86}) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
      const Matrix design = normal_matrix(rows, columns, 4);
      for (const Index lanes : {1, 2, 7, 10, 16}) {
        expect_reference(design, normal_matrix(columns, lanes, 5));
      }
    }
  }
}

TEST(LogisticFast, EqualsTheLongDoubleReferenceWhereColumnsHaveAUsualValue) {
  for (const Index rows : {33, 200, 1001}) {
    for (const Index columns : {20, 61}) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
      const Matrix design = mostly_usual(rows, columns);
      ASSERT_GT(SignedRows(design, Vector::Ones(rows)).rare.count(), 0);
      for (const Index lanes : {1, 2, 3, 7, 16, 19}) {
        expect_reference(design, 0.3 * normal_matrix(columns, lanes, 6));
      }
    }
  }
}

TEST(LogisticFast, EqualsTheLongDoubleReferenceOnCodedRows) {
  for (const Index rows : {1, 15, 16, 17, 200, 1001}) {
    for (const Index columns : {61, 64, 131}) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
      const Matrix design = runs_of_counts(rows, columns);
      ASSERT_TRUE(SignedRows(design, Vector::Ones(rows)).coded);
      for (const Index lanes : {1, 2, 3, 4, 5, 6, 7, 19}) {
        expect_reference(design, 0.3 * normal_matrix(columns, lanes, 6));
      }
    }
  }
}

TEST(LogisticFast, EqualsTheLongDoubleReferenceForWideRowsAndPageLongOnes) {
  for (const Index columns : {511, 512, 700}) {
    for (const Index lanes : {1, 3, 16}) {
      expect_reference(normal_matrix(40, columns, 6), 0.1 * normal_matrix(columns, lanes, 7));
    }
  }
}

/// More margins than one running product holds, small, mixed and so large that e^-m is zero.
TEST(LogisticFast, EqualsTheLongDoubleReferenceForManyRowsAndExtremeLogits) {
  const Matrix design = normal_matrix(2500, 2, 8);
  for (const Index lanes : {1, 2, 4, 8, 12, 16}) {
    for (const double size : {0.0, 1e-3, 1.0, 20.0, 200.0, 1000.0}) {
      SCOPED_TRACE(size);
      expect_reference(design, size * normal_matrix(2, lanes, 9));
    }
  }
  expect_reference(normal_matrix(20'000, 1, 10), Matrix::Zero(1, 1));  // 1250 doublings a chain
}

/// Rows whose logits are exactly -800, -790, ..., 800.
TEST(LogisticFast, EqualsTheLongDoubleReferenceOnALadderOfLogits) {
  const Matrix design = Vector::LinSpaced(161, -800, 800);
  for (const Index lanes : {1, 2, 5, 8, 12, 16}) expect_reference(design, Matrix::Ones(1, lanes));
}

void expect_a_bad_lane_kept_to_itself(const Matrix& design) {
  const Vector labels = (normal_matrix(design.rows(), 1, 12).array() > 0).cast<double>();
  const Logistic target(design, labels, 1);
  for (const Index lanes : {2, 5, 12, 16}) {
    const Matrix good = normal_matrix(design.cols(), lanes, 13);
    Matrix bad = good;
    bad(2, 1) = std::nan("");
    const Evaluation a(target, good), b(target, bad);
    EXPECT_TRUE(std::isnan(b.logp[1])) << lanes;
    EXPECT_TRUE(b.grad.col(1).hasNaN()) << lanes;
    for (Index k = 0; k < lanes; ++k) {
      if (k == 1) continue;
      EXPECT_EQ(a.logp[k], b.logp[k]) << lanes;
      EXPECT_EQ(a.grad.col(k), b.grad.col(k)) << lanes;
    }
  }
}

TEST(LogisticFast, KeepsABadLaneToItself) {
  expect_a_bad_lane_kept_to_itself(normal_matrix(60, 5, 11));
  expect_a_bad_lane_kept_to_itself(runs_of_counts(60, 61));
}

}  // namespace
}  // namespace gadwall
