// Compares the draws at which transitions diverged with all others.
#include "diagnostics/divergences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnostics/advice.hpp"
#include "text/number_text.hpp"
#include "text/text_table.hpp"

namespace gadwall {
namespace {

/// Rows of all chains, one chain after the other.
struct DivergentRows {
  std::vector<bool> is_divergent;
  Index count = 0;

  explicit DivergentRows(const Draws& draws) {
    for (std::size_t c = 0; c < draws.chains.size(); ++c) {
      const Vector flags = draws.statistic(c, "divergent");
      for (Index i = 0; i < draws.chains[c].draws.rows(); ++i) {
        is_divergent.push_back(i < flags.size() && flags[i] > 0);
        count += is_divergent.back() ? 1 : 0;
      }
    }
  }
};

/// The mean rank of the divergent draws in standard errors from the middle, as if they were any: k
/// ranks, uniform on [0, 1], have the mean 1/2 with the error (12 k)^(-1/2).
double standard_rank(const Matrix& values, const DivergentRows& rows) {
  std::vector<double> sorted(values.reshaped().begin(), values.reshaped().end());
  std::ranges::sort(sorted);
  double sum = 0;
  for (Index i = 0; i < values.size(); ++i) {
    if (!rows.is_divergent[static_cast<std::size_t>(i)]) continue;
    const auto [first, last] = std::ranges::equal_range(sorted, values.reshaped()[i]);
    sum += static_cast<double>((first - sorted.begin()) + (last - sorted.begin())) / 2;
  }
  const auto k = static_cast<double>(rows.count);
  return (sum / (k * static_cast<double>(values.size())) - 0.5) * std::sqrt(12 * k);
}

/// "where tau is low"; empty where the divergent draws are like all others.
std::string place_of(const Draws& draws) {
  constexpr double kFar = 4;
  constexpr Index kMostLookedAt = 512;  // parameters
  const DivergentRows rows(draws);
  if (rows.count == 0) return "";
  double farthest = 0;
  std::string place;
  const Index every = std::max<Index>(1, draws.dim() / kMostLookedAt);
  for (Index j = 0; j < draws.dim(); j += every) {
    const Matrix values = draws.parameter(j);
    if (!values.allFinite()) continue;
    const double z = standard_rank(values, rows);
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
                       place, words);
  }
  return place.empty() ? "the step is too long where the curvature is strong"
                       : fmt::format("a neck {}: the step is too long there", place);
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
