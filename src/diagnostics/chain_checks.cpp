// Compares chains with each other, and spreads with parameters.
#include "diagnostics/chain_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "diagnostics/advice.hpp"
#include "diagnostics/quantile.hpp"
#include "diagnostics/some_draws.hpp"
#include "gadwall/diagnostics.hpp"
#include "text/text_table.hpp"

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
Pairs pairs_where(const Draws& draws, const Pairs& pairs, Test test) {
  Pairs found;
  for (const auto& [a, b] : pairs) {
    if (test(draws.chains[a].draws, draws.chains[b].draws)) found.emplace(a, b);
  }
  return found;
}

/// With the same draws, all or a tenth of them.
Pairs copied_chains(const Draws& draws) {
  const bool are_few = draws.chains.size() <= kMostCompared;
  return pairs_where(draws, are_few ? all_pairs(draws) : pairs_that_meet(draws), is_copy);
}

/// Whose steps go together though their draws differ: one seed, different starts.
Pairs coupled_chains(const Draws& draws) {
  return pairs_where(draws, all_pairs(draws), [](const Matrix& a, const Matrix& b) {
    return !is_copy(a, b) && is_coupled(a, b);
  });
}

/// With one and the same number of one seed, by what the files say: they were made of the same
/// noise, also where a longer warm-up or another step hides it.
Pairs chains_of_one_noise(const Draws& draws) {
  std::map<std::pair<std::uint64_t, Index>, std::size_t> seen;
  Pairs pairs;
  std::size_t chain = 0;
  for (const ChainRange& range : chain_ranges(draws.facts)) {
    for (Index c = range.first; c < range.first + range.count; ++c, ++chain) {
      const auto [other, is_new] = seen.emplace(std::pair(range.seed, c), chain);
      if (!is_new) pairs.emplace(other->second, chain);
    }
  }
  return chain == draws.chains.size() ? pairs : Pairs();
}

std::string pairs_text(const Pairs& pairs) {
  std::vector<std::string> texts;
  for (const auto& [a, b] : pairs) texts.push_back(fmt::format("chains {} and {}", a + 1, b + 1));
  return list_names(texts);
}

/// By position those of the lowest ESS: where a funnel is, its neck is one of them, and so are
/// members of it.
std::vector<Index> worst_parameters(const Draws& draws, const Summary& summary) {
  constexpr std::size_t kMost = 8;
  std::vector<std::pair<double, std::string>> worst;
  for (const ParameterSummary& p : summary.parameters) {
    const double ess = least_ess(p.values);
    if (!std::isnan(ess)) worst.emplace_back(ess, p.name);
  }
  std::ranges::sort(worst);
  worst.resize(std::min(worst.size(), kMost));
  std::vector<Index> positions;
  for (const auto& [ess, name] : worst) {
    positions.push_back(std::ranges::find(draws.names, name) - draws.names.begin());
  }
  return positions;
}

/// log |x - median|, of some draws.
Vector log_spread(const Draws& draws, Index parameter) {
  const Vector x = some_draws(draws, parameter);
  return (x.array() - median_of(x)).abs().max(1e-300).log();
}

/// Of what some_draws() gives.
double ess_of_some(const Draws& draws, const Vector& values) {
  const auto chains = static_cast<Index>(draws.chains.size());
  return ess_mean(values.reshaped(values.size() / chains, chains));
}

struct Funnel {
  Index neck = 0;
  std::vector<std::string> members;  // whose spread goes with the neck's value
  bool is_clear = false;             // one of them does so by more than chance
};

/// Fisher's transform of a correlation of n independent pairs is nearly normal, with variance
/// 1 / (n - 3). Of two slow series the n is at least the larger ESS.
bool is_beyond_chance(double correlation, double n) {
  constexpr double kRare = 3;
  return n > 3 && std::atanh(std::min(std::abs(correlation), 0.999)) * std::sqrt(n - 3) > kRare;
}

/// A chain that hardly moves is one draw, whatever it holds: any two parameters then seem to go
/// together.
bool have_moved(const Draws& draws, double ess) {
  constexpr double kMoreThanOne = 1.25;
  return ess > kMoreThanOne * static_cast<double>(draws.chains.size());
}

/// Chains that moved little tell little of any one member, but many that go together tell
/// something.
bool is_believed(const Funnel& funnel, Index others) {
  constexpr std::size_t kFew = 3;
  const std::size_t members = funnel.members.size();
  return funnel.is_clear || (members >= kFew && 4 * members >= static_cast<std::size_t>(others));
}

/// The one of these necks that most parameters follow: the correlation of its value and their
/// log |x - median| is above 0.5 or below -0.5.
Funnel widest_funnel(const Draws& draws, const std::vector<Index>& necks) {
  constexpr Index kMostOthers = 256;
  constexpr double kStrong = 0.5;
  if (necks.empty()) return {};
  std::vector<Funnel> funnels;
  std::vector<Vector> values;
  std::vector<double> ess;
  for (const Index neck : necks) {
    funnels.push_back({neck, {}});
    values.push_back(some_draws(draws, neck));
    ess.push_back(ess_of_some(draws, values.back()));
  }
  const Index every = std::max<Index>(1, draws.dim() / kMostOthers);
  Index others = 0;
  for (Index j = 0; j < draws.dim(); j += every, ++others) {
    const Vector spread = log_spread(draws, j);
    std::optional<double> ess_of_spread;
    for (std::size_t f = 0; f < funnels.size(); ++f) {
      const double strength = std::abs(correlation(values[f], spread));
      if (j == necks[f] || !(strength > kStrong)) continue;
      if (!ess_of_spread) ess_of_spread = ess_of_some(draws, spread);
      const double n = std::fmax(ess[f], *ess_of_spread);
      if (!have_moved(draws, n)) continue;
      funnels[f].members.push_back(draws.names[static_cast<std::size_t>(j)]);
      funnels[f].is_clear = funnels[f].is_clear || is_beyond_chance(strength, n);
    }
  }
  const auto size = [](const Funnel& funnel) { return funnel.members.size(); };
  Funnel widest = *std::ranges::max_element(funnels, {}, size);
  return is_believed(widest, others) ? widest : Funnel{};
}

}  // namespace

void check_copies(const Draws& draws, Verdict& verdict) {
  if (draws.dim() == 0) return;
  const Pairs copies = copied_chains(draws);
  if (!copies.empty()) {
    verdict.findings.push_back(
        {true, "the same draws: " + pairs_text(copies),
         "a file given twice, or chains of one seed: they count as one; run them with seeds of "
         "their own"});
  }
  const std::string advice =
      "R-hat and ESS take chains for independent; run them with seeds of their own";
  const Pairs coupled = coupled_chains(draws);
  if (!coupled.empty()) {
    verdict.findings.push_back(
        {true, "moving together, as chains of one seed do: " + pairs_text(coupled), advice});
  }
  Pairs others = chains_of_one_noise(draws);
  std::erase_if(others, [&](const auto& p) { return copies.contains(p) || coupled.contains(p); });
  if (!others.empty()) {
    verdict.findings.push_back({true, "of one number and one seed: " + pairs_text(others), advice});
  }
}

void check_funnel(const Draws& draws, const Summary& summary, Verdict& verdict) {
  if (verdict.sound()) return;
  const Funnel funnel = widest_funnel(draws, worst_parameters(draws, summary));
  if (funnel.members.empty()) return;
  const std::string others = other_samplers(draws.facts);
  verdict.findings.push_back(
      {false,
       fmt::format("a funnel: the spread of {} follows {}", list_names(funnel.members),
                   printable(draws.names[static_cast<std::size_t>(funnel.neck)])),
       fmt::format("no single step fits all of it: reparametrise (x = scale * z with z ~ normal(0, "
                   "1)){}",
                   others.empty() ? ", or raise `target-accept`" : ", or try " + others)});
}

}  // namespace gadwall
