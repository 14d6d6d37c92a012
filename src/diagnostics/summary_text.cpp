// A summary as a table for people.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "diagnostics/advice.hpp"
#include "diagnostics/summary_order.hpp"
#include "diagnostics/thresholds.hpp"
#include "gadwall/summary.hpp"
#include "text/number_text.hpp"
#include "text/text_table.hpp"

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

/// Runs that were killed, and files of other tools, do not say.
std::string seconds_text(double value, bool known) {
  if (!known) return "-";
  if (value == 0) return "0";
  return value < 1 ? fmt::format("{:#.2g}", value) : fmt::format("{:.2f}", value);
}

using Field = double ParameterDiagnostics::*;

struct NumberColumn {
  const char* title;
  Field field;
  std::string (*text)(double);
  int expendable;
};

constexpr int kIntervalExpendable = 2;
constexpr int kMiddleExpendable = 3;
constexpr int kTraceExpendable = 7;
constexpr Index kMostChainsInTrace = 32;

constexpr NumberColumn kNumbers[] = {
    {"mean", &ParameterDiagnostics::mean, value_text, 0},
    {"mcse", &ParameterDiagnostics::mcse_mean, value_text, 5},
    {"sd", &ParameterDiagnostics::sd, value_text, 1},
    {"5%", &ParameterDiagnostics::q05, value_text, kIntervalExpendable},
    {"50%", &ParameterDiagnostics::q50, value_text, kMiddleExpendable},
    {"95%", &ParameterDiagnostics::q95, value_text, kIntervalExpendable},
    {"ess_bulk", &ParameterDiagnostics::ess_bulk, count_text, 0},
    {"ess_tail", &ParameterDiagnostics::ess_tail, count_text, 0},
    {"ess_sq", &ParameterDiagnostics::ess_sq, count_text, 6},
    {"rhat", &ParameterDiagnostics::rhat, ratio_text, 0}};

/// By the thresholds of the verdict.
bool is_bad(Field field, double value, Index chains) {
  using P = ParameterDiagnostics;
  if (field == &P::rhat) return value > kMostRhat;
  const bool ess = field == &P::ess_bulk || field == &P::ess_tail || field == &P::ess_sq;
  return ess && value < least_worst_ess(static_cast<double>(chains));
}

TextColumn number_column(const Summary& summary, const std::vector<std::size_t>& shown,
                         const NumberColumn& number) {
  TextColumn column{number.title, {}, {}, number.expendable};
  for (const std::size_t i : shown) {
    const double value = summary.parameters[i].values.*number.field;
    column.cells.push_back(number.text(value));
    column.marked.push_back(is_bad(number.field, value, summary.facts.chains));
  }
  return column;
}

/// The outermost make the interval, and stay when those between are left out.
TextColumn quantile_column(const Summary& summary, const std::vector<std::size_t>& shown,
                           std::size_t q) {
  const bool outermost = q == 0 || q + 1 == summary.probabilities.size();
  TextColumn column{fmt::format("{:.6g}%", 100 * summary.probabilities[q]),
                    {},
                    {},
                    outermost ? kIntervalExpendable : kMiddleExpendable};
  for (const std::size_t i : shown) {
    column.cells.push_back(value_text(summary.parameters[i].quantiles[q]));
  }
  return column;
}

/// The mean from which the scores have taken noise, and its standard error.
void add_controlled(const Summary& summary, const std::vector<std::size_t>& shown,
                    std::vector<TextColumn>& table) {
  if (shown.empty() || !summary.parameters[shown.front()].controlled) return;
  TextColumn mean{"by scores", {}, {}, 0}, error{"mcse", {}, {}, 4};
  for (const std::size_t i : shown) {
    const ControlledMean& controlled = *summary.parameters[i].controlled;
    mean.cells.push_back(value_text(controlled.mean));
    error.cells.push_back(value_text(controlled.mcse));
  }
  table.push_back(std::move(mean));
  table.push_back(std::move(error));
}

bool is_usual_quantile(Field field) {
  using P = ParameterDiagnostics;
  return field == &P::q05 || field == &P::q50 || field == &P::q95;
}

std::vector<TextColumn> columns(const Summary& summary, const std::vector<std::size_t>& shown) {
  std::vector<TextColumn> result = {{"parameter", {}, {}, 0}};
  for (const std::size_t i : shown) {
    result[0].cells.push_back(printable(summary.parameters[i].name));
  }
  const bool usual = summary.probabilities.empty();
  for (const NumberColumn& number : kNumbers) {
    if (usual || !is_usual_quantile(number.field)) {
      result.push_back(number_column(summary, shown, number));
    }
    if (number.field == &ParameterDiagnostics::mcse_mean) add_controlled(summary, shown, result);
    if (number.field != &ParameterDiagnostics::sd) continue;
    for (std::size_t q = 0; q < summary.probabilities.size(); ++q) {
      result.push_back(quantile_column(summary, shown, q));
    }
  }
  return result;
}

TextColumn trace_column(const Summary& summary, const std::vector<std::size_t>& shown) {
  TextColumn column{"trace", {}, {}, kTraceExpendable};
  for (const std::size_t i : shown) column.cells.push_back(summary.parameters[i].trace);
  return column;
}

/// ", seed 1", and which of its chains where they are not the first ones.
std::string seed_text(const RunFacts& f) {
  if (f.origins.empty()) {
    const std::string seed = fmt::format(", seed {}", f.seed);
    if (f.chain_offset == 0) return seed;
    return fmt::format("{}, its chains {} to {}", seed, f.chain_offset + 1,
                       f.chain_offset + f.chains);
  }
  std::vector<std::uint64_t> seeds;
  for (const ChainRange& range : f.origins) {
    if (std::ranges::count(seeds, range.seed) == 0) seeds.push_back(range.seed);
  }
  return fmt::format(", {} {}", seeds.size() == 1 ? "seed" : "seeds", fmt::join(seeds, ", "));
}

/// "neal100 by mala: 4 chains x (1000 warm-up + 500 draws), 100 parameters, seed 1"; of a table of
/// numbers, which knows no sampler: "1 chain x 500 draws, 100 parameters".
std::string facts_text(const Summary& summary) {
  const RunFacts& f = summary.facts;
  const auto number = [](auto n) { return static_cast<std::uint64_t>(n); };
  const bool is_run = !f.sampler.empty();
  std::string text = printable(f.target);
  if (is_run) text += fmt::format("{}by {}", text.empty() ? "" : " ", printable(f.sampler));
  if (!text.empty()) text += ": ";
  text += fmt::format("{} x ", counted(number(f.chains), "chain"));
  text += is_run || f.warmup > 0 ? fmt::format("({} warm-up + {} draws)", grouped(number(f.warmup)),
                                               grouped(number(f.draws)))
                                 : counted(number(f.draws), "draw");
  text += fmt::format(", {}", counted(summary.parameters.size(), "parameter"));
  if (f.lanes > 1) text += fmt::format(", {} lanes", f.lanes);
  if (is_run) text += seed_text(f);
  text += "\n";
  if (!f.statement.empty()) text += printable(f.statement) + "\n";
  return text;
}

/// "log_lik, y_rep"
std::string arrays_text(const std::map<std::string, std::string>& groups) {
  std::vector<std::string> names;
  for (const auto& [array, group] : groups) names.push_back(printable(array));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The coordinates that the sampler moved in, where it found better ones than the model's.
std::string coordinates_text(const RunFacts& facts) {
  const std::string words = coordinates_words(facts);
  return words.empty() ? "" : printable(words) + "\n";
}

std::string cost_text(const Summary& summary) {
  const RunFacts& f = summary.facts;
  std::string text = fmt::format("acceptance {}", ratio_text(f.accept_rate));
  if (f.divergences > 0) text += fmt::format(", {} divergent", grouped(f.divergences));
  if (f.bad_points > 0) text += fmt::format(", {}", counted(f.bad_points, "bad point"));
  if (f.gradients.total() > 0)
    text += fmt::format(", {}", counted(f.gradients.total(), "gradient"));
  if (f.densities.total() > 0) {
    text += fmt::format(", {} densit{}", grouped(f.densities.total()),
                        f.densities.total() == 1 ? "y" : "ies");
  }
  const bool known = f.seconds.total() > 0;
  text +=
      fmt::format(", {} s ({} warm-up + {} sampling)\n", seconds_text(f.seconds.total(), known),
                  seconds_text(f.seconds.warmup, known), seconds_text(f.seconds.sampling, known));
  text += fmt::format("worst ESS {}, R-hat at most {}", count_text(summary.ess_worst),
                      ratio_text(summary.rhat_max));
  const double per_second = summary.ess_worst_per_second();
  if (std::isfinite(per_second)) text += fmt::format(", {} ESS per second", rate_text(per_second));
  const double per_gradient = summary.ess_worst_per_gradient();
  if (std::isfinite(per_gradient)) text += fmt::format(", {:.4g} per gradient", per_gradient);
  if (!f.groups.empty()) text += fmt::format(", without {}", arrays_text(f.groups));
  return text + "\n";
}

/// "(10 of 120 parameters, the lowest ESS first)"; nothing where all come as the model has them.
std::string order_text(std::size_t shown, std::size_t all, TableOrder order) {
  const bool sorted = order != TableOrder::model || shown < all || all > kFewParameters;
  if (!sorted) return "";
  const std::string by = order == TableOrder::name   ? "by name"
                         : order == TableOrder::rhat ? "the highest R-hat first"
                                                     : "the lowest ESS first";
  if (shown == all) return fmt::format("({})\n", by);
  return fmt::format("({} of {} parameters, {})\n", grouped(shown), grouped(all), by);
}

}  // namespace

std::string to_text(const Summary& summary, Index rows) {
  return to_text(summary, TableStyle{.rows = rows});
}

std::string to_text(const Summary& summary, const TableStyle& style) {
  const std::vector<std::size_t> shown = table_order(summary, style.order, style.rows);
  std::vector<TextColumn> table = columns(summary, shown);
  if (style.trace && summary.facts.chains <= kMostChainsInTrace) {
    table.push_back(trace_column(summary, shown));
  }
  return facts_text(summary) + "\n" +
         text_table(table, static_cast<std::size_t>(style.width), style.colour) +
         order_text(shown.size(), summary.parameters.size(), style.order) + "\n" +
         coordinates_text(summary.facts) + cost_text(summary);
}

}  // namespace gadwall
