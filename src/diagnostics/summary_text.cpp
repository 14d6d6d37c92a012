// A summary as a table for people.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "diagnostics/thresholds.hpp"
#include "gadwall/summary.hpp"
#include "text/spark_line.hpp"
#include "text/text_table.hpp"

namespace gadwall {
namespace {

constexpr std::size_t kFewParameters = 20;  // fit a screen: shown in the order of the model

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

using Field = double ParameterDiagnostics::*;

struct NumberColumn {
  const char* title;
  Field field;
  std::string (*text)(double);
  int expendable;
};

constexpr NumberColumn kNumbers[] = {{"mean", &ParameterDiagnostics::mean, value_text, 0},
                                     {"mcse", &ParameterDiagnostics::mcse_mean, value_text, 5},
                                     {"sd", &ParameterDiagnostics::sd, value_text, 1},
                                     {"5%", &ParameterDiagnostics::q05, value_text, 3},
                                     {"50%", &ParameterDiagnostics::q50, value_text, 2},
                                     {"95%", &ParameterDiagnostics::q95, value_text, 3},
                                     {"ess_bulk", &ParameterDiagnostics::ess_bulk, count_text, 0},
                                     {"ess_tail", &ParameterDiagnostics::ess_tail, count_text, 0},
                                     {"ess_sq", &ParameterDiagnostics::ess_sq, count_text, 6},
                                     {"rhat", &ParameterDiagnostics::rhat, ratio_text, 0}};

constexpr int kTraceExpendable = 7;
constexpr std::size_t kMostChainsInTrace = 32;

/// By the thresholds of the verdict.
bool is_bad(Field field, double value, Index chains) {
  using P = ParameterDiagnostics;
  if (field == &P::rhat) return value > kMostRhat;
  const bool ess = field == &P::ess_bulk || field == &P::ess_tail || field == &P::ess_sq;
  return ess && value < kLeastEssPerChain * static_cast<double>(chains);
}

std::vector<TextColumn> columns(const Summary& summary, const std::vector<std::size_t>& shown) {
  std::vector<TextColumn> result = {{"parameter", {}, {}, 0}};
  for (const std::size_t i : shown) {
    result[0].cells.push_back(printable(summary.parameters[i].name));
  }
  for (const NumberColumn& number : kNumbers) {
    TextColumn column{number.title, {}, {}, number.expendable};
    for (const std::size_t i : shown) {
      const double value = summary.parameters[i].values.*number.field;
      column.cells.push_back(number.text(value));
      column.marked.push_back(is_bad(number.field, value, summary.facts.chains));
    }
    result.push_back(std::move(column));
  }
  return result;
}

TextColumn trace_column(const Draws& draws, const std::vector<std::size_t>& shown) {
  TextColumn column{"trace", {}, {}, kTraceExpendable};
  for (const std::size_t i : shown) {
    column.cells.push_back(spark_line(draws.parameter(static_cast<Index>(i))));
  }
  return column;
}

/// Indices of the parameters: as they come where they are few, else worst first. NaN is worse than
/// any number, but what is fixed is no trouble.
std::vector<std::size_t> order(const Summary& summary, Index rows) {
  std::vector<std::size_t> result(summary.parameters.size());
  std::iota(result.begin(), result.end(), std::size_t{0});
  const bool all = rows == 0 || static_cast<std::size_t>(rows) >= result.size();
  if (all && result.size() <= kFewParameters) return result;
  const auto badness = [&](std::size_t i) {
    const ParameterDiagnostics& values = summary.parameters[i].values;
    if (is_fixed(values)) return std::numeric_limits<double>::infinity();
    const double ess = worst_ess(values);
    return std::isnan(ess) ? -1.0 : ess;
  };
  std::ranges::stable_sort(result, {}, badness);
  if (!all) result.resize(static_cast<std::size_t>(rows));
  return result;
}

std::string facts_text(const Summary& summary) {
  const RunFacts& f = summary.facts;
  std::string text =
      fmt::format("{} by {}: {} chain{} x ({} warm-up + {} draws), {} parameter{}",
                  f.target.empty() ? "target" : printable(f.target),
                  f.sampler.empty() ? "an unknown sampler" : printable(f.sampler), f.chains,
                  f.chains == 1 ? "" : "s", f.warmup, f.draws, summary.parameters.size(),
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

/// draws may be null: then there is no trace.
std::string whole_text(const Summary& summary, const Draws* draws, const TableStyle& style) {
  const std::vector<std::size_t> shown = order(summary, style.rows);
  std::vector<TextColumn> table = columns(summary, shown);
  if (draws != nullptr && style.trace && draws->chains.size() <= kMostChainsInTrace) {
    table.push_back(trace_column(*draws, shown));
  }
  std::string text = facts_text(summary) + "\n" +
                     text_table(table, static_cast<std::size_t>(style.width), style.colour);
  const std::size_t all = summary.parameters.size();
  if (shown.size() < all) {
    text += fmt::format("({} of {} parameters, the lowest ESS first)\n", shown.size(), all);
  } else if (all > kFewParameters) {
    text += "(the lowest ESS first)\n";
  }
  return text + "\n" + cost_text(summary);
}

}  // namespace

std::string to_text(const Summary& summary, Index rows) {
  return whole_text(summary, nullptr, {.rows = rows});
}

std::string to_text(const Summary& summary, const Draws& draws, const TableStyle& style) {
  return whole_text(summary, &draws, style);
}

}  // namespace gadwall
