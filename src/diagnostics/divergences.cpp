// Compares the draws at which transitions diverged with all others.
#include "diagnostics/divergences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnostics/advice.hpp"
#include "diagnostics/some_draws.hpp"
#include "text/number_text.hpp"
#include "text/text_table.hpp"

namespace gadwall {
namespace {

/// Which rows of all chains, one chain after the other, are ends of divergent transitions, and how
/// many runs of them there are: in a neck they come in a row, and say it once.
struct DivergentRows {
  std::vector<Index> rows;
  Index runs = 0;

  explicit DivergentRows(const Draws& draws) {
    Index row = 0;
    for (std::size_t c = 0; c < draws.chains.size(); ++c) {
      const Vector flags = draws.statistic(c, "divergent");
      for (Index i = 0; i < draws.chains[c].draws.rows(); ++i, ++row) {
        if (i >= flags.size() || !(flags[i] > 0)) continue;
        rows.push_back(row);
        if (i == 0 || !(flags[i - 1] > 0)) ++runs;
      }
    }
  }
};

/// The mean rank of the divergent draws among m of all, in standard errors from the middle, as if
/// they were any: k ranks, uniform on [0, 1], have the mean 1/2 with the error (1/k + 1/m)^(1/2) /
/// 12^(1/2).
double standard_rank(const Matrix& values, Vector sorted, const DivergentRows& divergent) {
  std::ranges::sort(sorted);
  double sum = 0;
  for (const Index row : divergent.rows) {
    const double value = values.data()[row];
    const auto first = std::lower_bound(sorted.begin(), sorted.end(), value);
    const auto last = std::upper_bound(first, sorted.end(), value);
    sum += static_cast<double>((first - sorted.begin()) + (last - sorted.begin())) / 2;
  }
  const auto m = static_cast<double>(sorted.size());
  const double mean = sum / (static_cast<double>(divergent.rows.size()) * m);
  return (mean - 0.5) / std::sqrt((1 / static_cast<double>(divergent.runs) + 1 / m) / 12);
}

/// "where tau is low"; empty where the divergent draws are like all others.
std::string place_of(const Draws& draws) {
  constexpr double kFar = 4;
  constexpr Index kMostLookedAt = 512;  // parameters
  const DivergentRows divergent(draws);
  if (divergent.rows.empty()) return "";
  double farthest = 0;
  std::string place;
  const Index every = std::max<Index>(1, draws.dim() / kMostLookedAt);
  for (Index j = 0; j < draws.dim(); j += every) {
    const Matrix values = draws.parameter(j);
    if (!values.allFinite()) continue;
    const double z = standard_rank(values, some_draws(draws, j), divergent);
    if (!(std::abs(z) > std::max(kFar, std::abs(farthest)))) continue;
    farthest = z;
    place = fmt::format("where {} is {}", printable(draws.names[static_cast<std::size_t>(j)]),
                        z < 0 ? "low" : "high");
  }
  return place;
}

std::string cause_of(const Draws& draws) {
  const std::string words = coordinates_words(draws.facts);
  const std::string place = place_of(draws);
  if (!words.empty()) {
    return fmt::format("a neck is left{}{} though a scale was found ({})", place.empty() ? "" : " ",
                       place, printable(words));
  }
  return place.empty() ? "the step is too long where the curvature is strong"
                       : fmt::format("the step is too long {}, a neck", place);
}

}  // namespace

void check_divergences(const Draws& draws, Verdict& verdict) {
  if (draws.facts.divergences == 0) return;
  verdict.findings.push_back(
      {true,
       fmt::format("{} after warm-up", counted(draws.facts.divergences, "divergent transition")),
       cause_of(draws) + ": raise `target-accept`, or reparametrise"});
}

}  // namespace gadwall
