// Logistic regression against a plain long double reference, and at logits that overflow exp.
#include "targets/logistic/logistic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "message_of.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

using namespace gadwall::testing;

struct Reference {
  long double logp = 0;
  std::vector<long double> grad;
};

/// Sums in long double, from the textbook form: sum y z - log(1 + e^z) - |w|^2 / (2 sd^2).
Reference reference(const Matrix& design, const Vector& labels, double prior_sd, const Vector& w) {
  Reference out;
  const long double precision = 1.0L / (static_cast<long double>(prior_sd) * prior_sd);
  for (Index j = 0; j < w.size(); ++j) {
    out.logp -= precision * w[j] * w[j] / 2;
    out.grad.push_back(-precision * w[j]);
  }
  for (Index i = 0; i < design.rows(); ++i) {
    long double z = 0;
    for (Index j = 0; j < w.size(); ++j) z += static_cast<long double>(design(i, j)) * w[j];
    out.logp += labels[i] * z - log1pl(expl(z));  // expl holds e^z up to z = 11356
    for (Index j = 0; j < w.size(); ++j) {
      const long double residual = labels[i] == 1 ? 1 / (1 + expl(z)) : -1 / (1 + expl(-z));
      out.grad[static_cast<std::size_t>(j)] += residual * design(i, j);
    }
  }
  return out;
}

void expect_reference(const Matrix& design, const Vector& labels, double prior_sd,
                      const Vector& w) {
  const Evaluation at(Logistic(design, labels, prior_sd), w);
  const Reference wanted = reference(design, labels, prior_sd, w);
  const auto logp = static_cast<double>(wanted.logp);
  EXPECT_NEAR(at.logp[0], logp, 1e-13 * (1 + std::abs(logp)));
  for (Index j = 0; j < w.size(); ++j) {
    const auto grad = static_cast<double>(wanted.grad[static_cast<std::size_t>(j)]);
    EXPECT_NEAR(at.grad(j, 0), grad, 1e-12 * (1 + std::abs(grad)));
  }
}

TEST(Logistic, EqualsTheLongDoubleReference) {
  const Matrix design = normal_matrix(50, 4, 1);
  const Vector labels = (normal_matrix(50, 1, 2).array() > 0.3).cast<double>();
  for (const double size : {0.0, 0.1, 1.0, 30.0, 300.0}) {
    for (const double prior_sd : {0.5, 1.0, 10.0}) {
      expect_reference(design, labels, prior_sd, size * normal_matrix(4, 1, 3));
    }
  }
}

TEST(Logistic, EqualsTheReferenceWhateverTheNumbersOfRowsColumnsAndLanes) {
  // Vector kernels work in groups of 4, 8 or 16: these are whole groups, and one more or less.
  for (const Index rows : {1, 3, 16, 17, 31}) {
    for (const Index columns : {1, 2, 4, 5, 9}) {
      const Matrix design = normal_matrix(rows, columns, 7);
      const Vector labels = (normal_matrix(rows, 1, 8).array() > 0).cast<double>();
      const Logistic target(design, labels, 1);
      for (const Index lanes : {1, 2, 3, 4, 5, 8, 9}) {
        const Matrix w = normal_matrix(columns, lanes, 9);
        const Evaluation at(target, w);
        for (Index k = 0; k < lanes; ++k) {
          const Reference wanted = reference(design, labels, 1, w.col(k));
          EXPECT_NEAR(at.logp[k], static_cast<double>(wanted.logp), 1e-12);
          for (Index j = 0; j < columns; ++j) {
            const auto grad = static_cast<double>(wanted.grad[static_cast<std::size_t>(j)]);
            EXPECT_NEAR(at.grad(j, k), grad, 1e-12) << rows << " x " << columns << ", " << lanes;
          }
        }
      }
    }
  }
}

/// One row, design 1: the logit is w itself. An infinite prior sd takes the prior away.
struct OneLogit {
  OneLogit(double label, double logit)
      : target(Matrix::Ones(1, 1), Vector::Constant(1, label),
               std::numeric_limits<double>::infinity()),
        at(target, Vector::Constant(1, logit)) {}
  double logp() const { return at.logp[0]; }
  double grad() const { return at.grad(0, 0); }

  Logistic target;
  Evaluation at;
};

TEST(Logistic, HasTheRightLimitsWhereTheExponentialOverflows) {
  for (const double size : {800.0, 1e4, 1e100}) {
    for (const double label : {0.0, 1.0}) {
      const double agreeing = label == 1 ? size : -size;
      EXPECT_EQ(OneLogit(label, agreeing).logp(), 0) << size;
      EXPECT_EQ(OneLogit(label, agreeing).grad(), 0) << size;
      EXPECT_EQ(OneLogit(label, -agreeing).logp(), -size);
      EXPECT_EQ(OneLogit(label, -agreeing).grad(), label == 1 ? 1 : -1) << size;
    }
  }
}

TEST(Logistic, KeepsItsRelativeAccuracyInTheTail) {
  for (const double z : {20.0, 40.0, 300.0, 700.0}) {
    const double tail = std::exp(-z);
    EXPECT_NEAR(OneLogit(1, z).logp() / -std::log1p(tail), 1, 1e-14) << z;
    EXPECT_NEAR(OneLogit(1, z).grad() / (tail / (1 + tail)), 1, 1e-14) << z;
  }
}

TEST(Logistic, HasAFiniteHessianProductWhereTheExponentialOverflows) {
  const Logistic target(Matrix::Ones(1, 1), Vector::Ones(1), 2);
  Matrix out(1, 1);
  for (const double z : {-800.0, 800.0, 1e100}) {
    ASSERT_TRUE(target.hessian_times(Matrix::Constant(1, 1, z), Matrix::Ones(1, 1), out));
    EXPECT_EQ(out(0, 0), -0.25) << z;  // the prior's alone
  }
}

TEST(Logistic, IsSymmetricInTheTwoClasses) {
  const Matrix design = normal_matrix(20, 3, 4);
  const Vector labels = (normal_matrix(20, 1, 5).array() > 0).cast<double>();
  const Vector w = normal_matrix(3, 1, 6);
  const Evaluation one(Logistic(design, labels, 1), w);
  const Evaluation other(Logistic(design, 1 - labels.array(), 1), -w);
  EXPECT_DOUBLE_EQ(one.logp[0], other.logp[0]);
  EXPECT_LT((one.grad + other.grad).norm(), 1e-13);
}

TEST(Logistic, TakesTheNamesItIsGivenOrCountsFromOne) {
  const Matrix design = Matrix::Ones(2, 2);
  const Vector labels{{0.0, 1.0}};
  EXPECT_EQ(Logistic(design, labels, 1, {"age", "bias"}).names(),
            (std::vector<std::string>{"age", "bias"}));
  EXPECT_EQ(Logistic(design, labels, 1).names(), (std::vector<std::string>{"x.1", "x.2"}));
}

TEST(Logistic, KeepsItsLabelsAndItsPriorForTheDrawsFile) {
  const Logistic target(Matrix{{1, 2}, {3, 4}}, Vector{{1, 0}}, 2.5, {},
                        {.scaling = {{"sd", {2}, {3, 4}}}});
  const TargetData data = target.data();
  ASSERT_EQ(data.observed.size(), 1U);
  EXPECT_EQ(data.observed[0].values, (std::vector<double>{1, 0}));
  ASSERT_EQ(data.constant.size(), 2U);
  EXPECT_EQ(data.constant[0].name, "sd");
  EXPECT_EQ(data.constant[1].values, std::vector<double>{2.5});
}

/// Standardised weights w and raw ones v give the same logits: w . (f - mean) / sd + b.
TEST(Logistic, KeepsCoefficientsInTheUnitsOfTheColumnsAndFindsBack) {
  const LogisticTable table{.unit = Vector{{2, 50}}, .mean = Vector{{-1, 30}}};
  const Logistic target(Matrix::Ones(2, 3), Vector{{0.0, 1.0}}, 1, {"a", "b", "bias"}, table);
  const Vector w{{0.5, -2, 0.25}};
  Vector v(3);
  target.output(w, {}, v);
  const Vector features{{3, 80}};
  const double logit = w.head(2).dot((features - table.mean).cwiseQuotient(table.unit)) + w[2];
  EXPECT_NEAR(v.head(2).dot(features) + v[2], logit, 1e-14);
  EXPECT_NEAR(v[0], 0.25, 1e-15);
  EXPECT_LT((target.coordinates(target.output_names(), v) - w).norm(), 1e-14);
}

TEST(Logistic, RefusesAPriorWithoutWidth) {
  for (const double sd : {0.0, -1.0, std::nan("")}) {
    EXPECT_NE(
        message_of([&] { Logistic(Matrix::Ones(2, 1), Vector::Zero(2), sd); }).find("prior sd"),
        std::string::npos)
        << sd;
  }
}

}  // namespace
}  // namespace gadwall
