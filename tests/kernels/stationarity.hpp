// Targets that can be drawn from exactly: x = T(z) with z standard normal. A kernel that leaves the
// target invariant maps exact draws to exact draws, so that z after the move is standard normal
// again, every coordinate independent of the others.
#pragma once

#include <Eigen/Cholesky>
#include <cmath>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "gadwall/target.hpp"
#include "targets/banana.hpp"
#include "targets/funnel.hpp"
#include "targets/gaussian.hpp"

namespace gadwall::testing {

struct ExactTarget {
  std::string name;
  std::shared_ptr<const Target> target;
  std::function<Vector(const Vector&)> draw;     // T
  std::function<Vector(const Vector&)> recover;  // its inverse
  Vector scales;                                 // rough standard deviations, for the factor
};

inline std::ostream& operator<<(std::ostream& out, const ExactTarget& t) {
  return out << t.name;
}

inline ExactTarget exact_gaussian() {
  const Matrix lower{{1, 0, 0}, {0.9, 0.5, 0}, {-1.2, 0.4, 1.5}};
  const Vector mean{{1.0, -2.0, 0.5}};
  return {
      "Gaussian", std::make_shared<Gaussian>(mean, lower * lower.transpose()),
      [=](const Vector& z) { return (mean + lower * z).eval(); },
      [=](const Vector& x) { return lower.triangularView<Eigen::Lower>().solve(x - mean).eval(); },
      (lower * lower.transpose()).diagonal().cwiseSqrt()};
}

inline ExactTarget exact_banana() {
  const double curvature = 0.03;
  const auto ridge = [=](double x1) { return curvature * (x1 * x1 - 100); };
  return {"Banana", std::make_shared<Banana>(2, curvature),
          [=](const Vector& z) {
            return Vector{{10 * z[0], z[1] + ridge(10 * z[0])}};
          },
          [=](const Vector& x) {
            return Vector{{x[0] / 10, x[1] - ridge(x[0])}};
          },
          Vector{{10.0, 4.0}}};
}

inline ExactTarget exact_funnel() {
  return {"Funnel", std::make_shared<Funnel>(3),
          [](const Vector& z) {
            const double width = std::exp(1.5 * z[0]);
            return Vector{{3 * z[0], width * z[1], width * z[2]}};
          },
          [](const Vector& x) {
            const double width = std::exp(x[0] / 2);
            return Vector{{x[0] / 3, x[1] / width, x[2] / width}};
          },
          Vector{{3.0, 3.0, 3.0}}};
}

inline std::vector<ExactTarget> exact_targets() {
  return {exact_gaussian(), exact_banana(), exact_funnel()};
}

}  // namespace gadwall::testing
