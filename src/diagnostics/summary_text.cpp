// A summary as a table for people.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gadwall/summary.hpp"

namespace gadwall {
namespace {

/// Four significant digits, whole numbers from a thousand, in at most ten characters.
std::string value_text(double value) {
  if (std::isnan(value)) return "-";
  const double size = std::abs(value);
  if (size >= 999.95 && size < 999999.5) return fmt::format("{:.0f}", value);
  if (size != 0 && (size < 1e-4 || size >= 999999.5)) return fmt::format("{:.2e}", value);
  return fmt::format("{:#.4g}", value);
}

std::string seconds_text(double value) {
  return value < 1 ? fmt::format("{:.2g}", value) : fmt::format("{:.2f}", value);
}

std::string count_text(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.0f}", value);
}

std::string ratio_text(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.3f}", value);
}

std::vector<std::string> cells(const ParameterSummary& p) {
  const ParameterDiagnostics& v = p.values;
  return {p.name,
          value_text(v.mean),
          value_text(v.mcse_mean),
          value_text(v.sd),
          value_text(v.q05),
          value_text(v.q50),
          value_text(v.q95),
          count_text(v.ess_bulk),
          count_text(v.ess_tail),
          count_text(v.ess_sq),
          ratio_text(v.rhat)};
}

/// Characters, not bytes: names may be in any language.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// First column to the left, the others to the right, each as wide as it needs.
std::string align(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) widths[j] = std::max(widths[j], width(row[j]));
  }
  std::string text;
  for (const auto& row : rows) {
    text += fmt::format("{:<{}}", row[0], widths[0]);
    for (std::size_t j = 1; j < row.size(); ++j) text += fmt::format("  {:>{}}", row[j], widths[j]);
    text += '\n';
  }
  return text;
}

/// Indices of the parameters: as they come, or worst first. NaN is worse than any number.
std::vector<std::size_t> order(const Summary& summary, Index rows) {
  std::vector<std::size_t> result(summary.parameters.size());
  std::iota(result.begin(), result.end(), std::size_t{0});
  if (rows == 0 || static_cast<std::size_t>(rows) >= result.size()) return result;
  const auto badness = [&](std::size_t i) {
    const double ess = worst_ess(summary.parameters[i].values);
    return std::isnan(ess) ? -1.0 : ess;
  };
  std::ranges::stable_sort(result, {}, badness);
  result.resize(static_cast<std::size_t>(rows));
  return result;
}

std::string facts_text(const Summary& summary) {
  const RunFacts& f = summary.facts;
  std::string text = fmt::format(
      "{} by {}: {} chain{} x ({} warm-up + {} draws), {} parameter{}",
      f.target.empty() ? "target" : f.target, f.sampler.empty() ? "an unknown sampler" : f.sampler,
      f.chains, f.chains == 1 ? "" : "s", f.warmup, f.draws, summary.parameters.size(),
      summary.parameters.size() == 1 ? "" : "s");
  if (f.lanes > 1) text += fmt::format(", {} lanes", f.lanes);
  return text + fmt::format(", seed {}\n", f.seed);
}

std::string cost_text(const Summary& summary) {
  const RunFacts& f = summary.facts;
  std::string text = fmt::format("acceptance {:.3f}", f.accept_rate);
  if (f.divergences > 0) text += fmt::format(", {} divergent", f.divergences);
  if (f.bad_points > 0) text += fmt::format(", {} bad points", f.bad_points);
  if (f.gradients.total() > 0) text += fmt::format(", {} gradients", f.gradients.total());
  if (f.densities.total() > 0) text += fmt::format(", {} densities", f.densities.total());
  text += fmt::format(", {} s ({} warm-up + {} sampling)\n", seconds_text(f.seconds.total()),
                      seconds_text(f.seconds.warmup), seconds_text(f.seconds.sampling));
  text += fmt::format("worst ESS {}, R-hat at most {}", count_text(summary.ess_worst),
                      ratio_text(summary.rhat_max));
  const double per_second = summary.ess_worst_per_second();
  if (std::isfinite(per_second)) text += fmt::format(", {} ESS per second", count_text(per_second));
  const double per_gradient = summary.ess_worst_per_gradient();
  if (std::isfinite(per_gradient)) text += fmt::format(", {:.4g} per gradient", per_gradient);
  return text + "\n";
}

}  // namespace

std::string to_text(const Summary& summary, Index rows) {
  std::vector<std::vector<std::string>> table = {{"parameter", "mean", "mcse", "sd", "5%", "50%",
                                                  "95%", "ess_bulk", "ess_tail", "ess_sq", "rhat"}};
  const std::vector<std::size_t> shown = order(summary, rows);
  for (const std::size_t i : shown) table.push_back(cells(summary.parameters[i]));
  std::string text = facts_text(summary) + "\n" + align(table);
  if (shown.size() < summary.parameters.size()) {
    text += fmt::format("({} of {} parameters, the lowest ESS first)\n", shown.size(),
                        summary.parameters.size());
  }
  return text + "\n" + cost_text(summary);
}

}  // namespace gadwall
