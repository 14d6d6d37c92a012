// Compares chains with each other, and spreads with parameters.
#include "diagnostics/chain_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "diagnostics/advice.hpp"
#include "diagnostics/quantile.hpp"

namespace gadwall {
namespace {

constexpr std::size_t kMostCompared = 64;  // chains: every pair is looked at

/// NaN where one of them does not vary.
double correlation(ConstVectorRef a, ConstVectorRef b) {
  const Vector x = a.array() - a.mean();
  const Vector y = b.array() - b.mean();
  return x.dot(y) / std::sqrt(x.squaredNorm() * y.squaredNorm());
}

/// The first parameter that varies; the columns of others, which a model fixes, are all the same.
Index first_varying(const Matrix& x) {
  for (Index j = 0; j < x.cols(); ++j) {
    if (x.col(j).minCoeff() != x.col(j).maxCoeff()) return j;
  }
  return 0;
}

/// A chain that stands still repeats its own draws: only moves count.
bool is_copy(const Matrix& a, const Matrix& b) {
  const Index rows = std::min(a.rows(), b.rows());
  const Index j = first_varying(a);
  Index moves = 0;
  Index same = 0;
  for (Index i = 1; i < rows; ++i) {
    if (a(i, j) == a(i - 1, j)) continue;
    ++moves;
    if (a(i, j) == b(i, j) && a.row(i) == b.row(i)) ++same;
  }
  return same > 0 && 10 * same >= moves;
}

/// Of the steps in the second half, where chains no longer come from their starts together.
bool is_coupled(const Matrix& a, const Matrix& b) {
  constexpr Index kFewSteps = 100;
  constexpr Index kMostParameters = 8;
  const Index steps = std::min(a.rows(), b.rows()) / 2;
  if (steps < kFewSteps) return false;
  const Index count = std::min(kMostParameters, a.cols());
  double sum = 0;
  for (Index k = 0; k < count; ++k) {
    const Index j = k * a.cols() / count;
    const auto move = [&](const Matrix& x) -> Vector {
      return x.col(j).tail(steps) - x.col(j).segment(x.rows() - steps - 1, steps);
    };
    sum += correlation(move(a), move(b));
  }
  constexpr double kMuch = 0.8;
  return sum > kMuch * static_cast<double>(count);
}

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;

/// Of the first chains.
Pairs all_pairs(const Draws& draws) {
  Pairs pairs;
  const std::size_t count = std::min(draws.chains.size(), kMostCompared);
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) pairs.emplace(a, b);
  }
  return pairs;
}

/// Chains, however many, that have the same value in one of some rows.
Pairs pairs_that_meet(const Draws& draws) {
  constexpr Index kRows = 32;
  Pairs pairs;
  if (draws.draws() == 0) return pairs;
  const Index j = first_varying(draws.chains.front().draws);
  for (Index k = 0; k < kRows; ++k) {
    std::map<double, std::size_t> seen;  // the last chain with the value
    for (std::size_t c = 0; c < draws.chains.size(); ++c) {
      const Matrix& x = draws.chains[c].draws;
      const double value = x((x.rows() - 1) * k / (kRows - 1), j);
      if (std::isnan(value)) continue;
      const auto [other, is_new] = seen.emplace(value, c);
      if (is_new) continue;
      pairs.emplace(other->second, c);
      other->second = c;
    }
  }
  return pairs;
}

template <class Test>
std::vector<std::string> pairs_where(const Draws& draws, const Pairs& pairs, Test test) {
  std::vector<std::string> found;
  for (const auto& [a, b] : pairs) {
    if (!test(draws.chains[a].draws, draws.chains[b].draws)) continue;
    found.push_back(fmt::format("chains {} and {}", a + 1, b + 1));
  }
  return found;
}

/// With the same draws, all or a tenth of them.
std::vector<std::string> copied_chains(const Draws& draws) {
  const bool are_few = draws.chains.size() <= kMostCompared;
  return pairs_where(draws, are_few ? all_pairs(draws) : pairs_that_meet(draws), is_copy);
}

/// Whose steps go together though their draws differ: one seed, different starts.
std::vector<std::string> coupled_chains(const Draws& draws) {
  return pairs_where(draws, all_pairs(draws), [](const Matrix& a, const Matrix& b) {
    return !is_copy(a, b) && is_coupled(a, b);
  });
}

/// The parameters whose spread goes with the one at `neck`: a correlation of it and
/// log |x - median| above 0.5 or below -0.5.
std::vector<std::string> scaled_by(const Draws& draws, Index neck) {
  constexpr Index kMostOthers = 256;
  constexpr double kStrong = 0.5;
  const Matrix v = draws.parameter(neck);
  std::vector<std::string> names;
  const Index every = std::max<Index>(1, draws.dim() / kMostOthers);
  for (Index j = 0; j < draws.dim(); j += every) {
    if (j == neck) continue;
    const Matrix x = draws.parameter(j);
    const double centre = median_of(x);
    const Vector spread = (x.array() - centre).abs().max(1e-300).log().reshaped();
    if (std::abs(correlation(v.reshaped(), spread)) > kStrong) {
      names.push_back(draws.names[static_cast<std::size_t>(j)]);
    }
  }
  return names;
}

}  // namespace

void check_copies(const Draws& draws, Verdict& verdict) {
  if (draws.dim() == 0) return;
  const auto copies = copied_chains(draws);
  if (!copies.empty()) {
    verdict.findings.push_back(
        {true, "the same draws: " + list_names(copies),
         "a file given twice, or chains of one seed: they count as one; run them with seeds of "
         "their own"});
  }
  const auto coupled = coupled_chains(draws);
  if (!coupled.empty()) {
    verdict.findings.push_back(
        {true, "moving together, as chains of one seed do: " + list_names(coupled),
         "R-hat and ESS take chains for independent; run them with seeds of their own"});
  }
}

/// The parameter that mixes worst, where others get their scale from it.
void check_funnel(const Draws& draws, const Summary& summary, Verdict& verdict) {
  const auto worst =
      std::ranges::min_element(summary.parameters, {}, [](const ParameterSummary& p) {
        const double ess = least_ess(p.values);
        return std::isnan(ess) ? std::numeric_limits<double>::infinity() : ess;
      });
  if (verdict.sound() || worst == summary.parameters.end() || std::isnan(least_ess(worst->values)))
    return;
  const auto scaled =
      scaled_by(draws, std::ranges::find(draws.names, worst->name) - draws.names.begin());
  if (scaled.empty()) return;
  const std::string others = other_samplers(draws.facts);
  verdict.findings.push_back(
      {false, fmt::format("a funnel: the spread of {} follows {}", list_names(scaled), worst->name),
       fmt::format("no single step fits all of it: reparametrise (x = scale * z with z ~ normal(0, "
                   "1)){}",
                   others.empty() ? ", or raise `target-accept`" : ", or try " + others)});
}

}  // namespace gadwall
