// Every sampler with every metric it takes samples what it should: means, standard deviations and
// correlations within 4 Monte Carlo standard errors of exact values. A new row of the catalog is
// tested without an edit here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

#include "gadwall/gadwall.hpp"
#include "samplers/sampler_testing.hpp"
#include "targets/gaussian.hpp"
#include "targets/logistic/logistic.hpp"

namespace gadwall {
namespace {

struct Problem {
  std::shared_ptr<const Target> target;
  Vector mean;
  Matrix covariance;
};

Problem gaussian() {
  const Vector sds{{0.7, 1, 1.5, 1, 0.8}};
  Matrix covariance(5, 5);
  for (Index i = 0; i < 5; ++i) {
    for (Index j = 0; j < 5; ++j) {
      covariance(i, j) = sds[i] * sds[j] * std::pow(0.5, static_cast<double>(std::abs(i - j)));
    }
  }
  const Vector mean{{1, -1, 0.5, 0, 2}};
  return {std::make_shared<Gaussian>(mean, covariance), mean, covariance};
}

/// x1 ~ N(0, 1), x2 | x1 ~ N(b (x1^2 - 1), 1): Var x2 = 1 + 2 b^2, no correlation. A callable, so
/// without a product with its Hessian.
Problem banana() {
  constexpr double b = 0.25;
  const auto density = [](ConstVectorRef x, VectorRef grad) {
    const double m = x[1] - b * (x[0] * x[0] - 1);
    grad[0] = -x[0] + 2 * b * x[0] * m;
    grad[1] = -m;
    return -(x[0] * x[0] + m * m) / 2;
  };
  return {make_target(density, 2), Vector::Zero(2), Vector{{1, 1 + 2 * b * b}}.asDiagonal()};
}

/// Two weights, a few observations: a skew posterior whose moments a sum over a grid gives to many
/// digits (the trapezoidal rule on a smooth density that vanishes at the ends).
Problem logistic() {
  const Matrix design{{1, -1.6}, {1, -0.9}, {1, -0.4}, {1, 0.1},
                      {1, 0.5},  {1, 0.8},  {1, 1.4},  {1, 2.2}};
  const Vector labels{{0, 0, 1, 0, 1, 1, 1, 1}};
  const double prior_sd = 2;
  constexpr int kHalf = 150;
  constexpr double kSpacing = 0.1;  // the grid reaches to +-15
  double total = 0;
  Vector first = Vector::Zero(2);
  Matrix second = Matrix::Zero(2, 2);
  for (int a = -kHalf; a <= kHalf; ++a) {
    for (int b = -kHalf; b <= kHalf; ++b) {
      const Vector w{{a * kSpacing, b * kSpacing}};
      double logp = -w.squaredNorm() / (2 * prior_sd * prior_sd);
      for (Index i = 0; i < design.rows(); ++i) {
        const double z = design.row(i).dot(w);
        logp -= std::log1p(std::exp(labels[i] == 1 ? -z : z));
      }
      const double density = std::exp(logp);
      total += density;
      first += density * w;
      second += density * w * w.transpose();
    }
  }
  first /= total;
  return {std::make_shared<Logistic>(design, labels, prior_sd), first,
          second / total - first * first.transpose()};
}

// By name, so that only the test that needs a problem makes it.
const std::map<std::string, Problem (*)()> kProblems = {
    {"gaussian", gaussian}, {"banana", banana}, {"logistic", logistic}};

struct Case {
  std::string sampler;
  std::string metric;
  std::string problem;
  Index lanes;
  std::string drift = "published";
  std::string from = "";  // what a metric is made from, where that is not the default

  std::string name() const {
    std::string text = sampler + "_" + metric + "_" + problem + (lanes > 1 ? "_lanes" : "");
    if (drift != "published") text += "_" + drift;
    if (!from.empty()) text += "_from_" + from;
    std::ranges::replace(text, '-', '_');
    return text;
  }
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name();
}

/// What a word of the row's options may be beside its default, which is it in any case, and `auto`.
std::vector<std::string> other_choices(const SamplerRow& row, const std::string& option) {
  const OptionInfo* info = find_option(row.options, option);
  std::vector<std::string> others = info == nullptr ? std::vector<std::string>{} : info->choices;
  if (info != nullptr) std::erase(others, std::get<std::string>(info->fallback));
  std::erase(others, "auto");
  return others;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const SamplerRow& row : samplers()) {
    const bool pooled = row.has_option("learning-rate");
    for (const std::string& metric : testing::metrics_of(row)) {
      for (const auto& [problem, make] : kProblems) {
        all.push_back({row.name, metric, problem, 1});
        if (pooled) all.push_back({row.name, metric, problem, 4});
        if (row.has_option("drift")) all.push_back({row.name, metric, problem, 1, "exact"});
        if (metric != "diag" && metric != "dense") continue;
        for (const std::string& from : other_choices(row, "metric-from")) {
          const Index lanes = row.name == "auto" ? 8 : 2;  // which has 16 chains
          all.push_back({row.name, metric, problem, lanes, "published", from});
        }
      }
    }
  }
  return all;
}

SampleResult run_case(const Case& c, const Problem& problem) {
  const SamplerRow& row = find_sampler(c.sampler);
  // The paper's learning rates are for 20000 iterations, and hmc's fixed trajectory may be near a
  // period of the Gaussian.
  Settings wanted = {
      {"metric", c.metric}, {"learning-rate", 2e-3}, {"jitter", 0.3}, {"drift", c.drift}};
  if (!c.from.empty()) wanted["metric-from"] = c.from;
  SampleOptions options{c.sampler, testing::settings_for(row, wanted), {}};
  options.run.lanes = c.lanes;
  options.run.warmup = std::min<Index>(row.warmup, 4000);
  options.run.draws = std::min<Index>(row.draws, 5000);
  options.run.seed = 11;
  return sample(problem.target, options);
}

/// |estimate - exact| in standard errors.
double z_of_mean(const Matrix& x, double exact) {
  return std::abs(x.mean() - exact) / mcse_mean(x);
}

double z_of_sd(const Matrix& x, double exact) {
  const auto count = static_cast<double>(x.size() - 1);
  const double sd = std::sqrt((x.array() - x.mean()).square().sum() / count);
  return std::abs(sd - exact) / mcse_sd(x);
}

class Conformance : public ::testing::TestWithParam<Case> {};

TEST_P(Conformance, HasTheMomentsOfTheTarget) {
  const Problem problem = kProblems.at(GetParam().problem)();
  const SampleResult result = run_case(GetParam(), problem);
  EXPECT_LT(result.summary.rhat_max, 1.05);
  EXPECT_GT(result.summary.ess_worst, 100);
  for (Index i = 0; i < problem.mean.size(); ++i) {
    const Matrix x = result.draws.parameter(i);
    EXPECT_LT(z_of_mean(x, problem.mean[i]), 4) << "mean of coordinate " << i;
    EXPECT_LT(z_of_sd(x, std::sqrt(problem.covariance(i, i))), 4) << "sd of coordinate " << i;
    for (Index j = 0; j < i; ++j) {
      const Matrix y = result.draws.parameter(j);
      const Matrix product =
          ((x.array() - problem.mean[i]) * (y.array() - problem.mean[j])).matrix();
      EXPECT_LT(z_of_mean(product, problem.covariance(i, j)), 4) << "covariance " << i << ", " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EverySampler, Conformance, ::testing::ValuesIn(cases()),
                         [](const auto& parameter) { return parameter.param.name(); });

}  // namespace
}  // namespace gadwall
