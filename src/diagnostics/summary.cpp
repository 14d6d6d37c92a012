// A run in numbers.
#include "gadwall/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "diagnostics/score_control.hpp"
#include "text/spark_line.hpp"
#include "threads/parallel.hpp"

namespace gadwall {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// NaN where any value is.
Spread spread(std::vector<double> values) {
  if (values.empty() || std::ranges::any_of(values, [](double v) { return std::isnan(v); })) {
    return {kNaN, kNaN, kNaN};
  }
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  const double median =
      values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {values.front(), median, values.back()};
}

double mean_paper_ess(const Matrix& x) {
  double sum = 0;
  for (Index c = 0; c < x.cols(); ++c) sum += ess_paper(x.col(c));
  return sum / static_cast<double>(x.cols());
}

ParameterSummary diagnosed(const std::string& name, const Matrix& x,
                           const ParameterSummary* known) {
  if (known != nullptr) return {name, known->values, known->trace, {}, {}};
  return {name, diagnose_parameter(x), spark_line(x), {}, {}};
}

/// What the model fixes is left out, and what is not judged.
bool counts(const Summary& summary, const ParameterSummary& p) {
  return !is_fixed(p.values) && summary.facts.is_judged(p.name);
}

template <class Field>
std::vector<double> collect(const Summary& summary, Field field) {
  std::vector<double> values;
  for (const ParameterSummary& p : summary.parameters) {
    if (counts(summary, p)) values.push_back(field(p.values));
  }
  return values;
}

}  // namespace

Summary summarise(const Draws& draws, const SummaryOptions& options) {
  Summary summary;
  summary.probabilities = options.quantiles;
  summary.facts = draws.facts;
  summary.parameters.resize(draws.names.size());
  std::vector<double> paper_ess(draws.names.size());
  std::optional<ScoreControl> control;
  if (options.scores) control.emplace(draws);
  for_each_in_parallel(draws.names.size(), [&](std::size_t j) {
    const Matrix x = draws.parameter(static_cast<Index>(j));
    summary.parameters[j] =
        diagnosed(draws.names[j], x, options.known ? &options.known->parameters[j] : nullptr);
    if (control) summary.parameters[j].controlled = control->mean(x);
    for (const double p : options.quantiles) {
      summary.parameters[j].quantiles.push_back(quantile(x, p));
    }
    paper_ess[j] = options.paper_ess ? mean_paper_ess(x) : kNaN;
  });
  std::vector<double> paper;
  for (std::size_t j = 0; j < paper_ess.size(); ++j) {
    if (counts(summary, summary.parameters[j])) paper.push_back(paper_ess[j]);
  }
  using P = ParameterDiagnostics;
  summary.ess_paper = spread(paper);
  summary.ess_bulk = spread(collect(summary, [](const P& p) { return p.ess_bulk; }));
  summary.ess_tail = spread(collect(summary, [](const P& p) { return p.ess_tail; }));
  summary.ess_worst = spread(collect(summary, worst_ess)).min;
  summary.rhat_max = spread(collect(summary, [](const P& p) { return p.rhat; })).max;
  return summary;
}

Summary select_parameters(Summary summary, const std::vector<Index>& positions) {
  std::vector<ParameterSummary> chosen;
  Index parameters = 0;
  for (const Index i : positions) {
    chosen.push_back(std::move(summary.parameters[static_cast<std::size_t>(i)]));
    if (i < summary.facts.parameters) ++parameters;
  }
  summary.parameters = std::move(chosen);
  summary.facts.parameters = parameters;
  return summary;
}

double Summary::ess_worst_per_second() const {
  return facts.seconds.total() > 0 ? ess_worst / facts.seconds.total() : kNaN;
}

double Summary::ess_worst_per_gradient() const {
  const std::uint64_t evaluations = facts.gradients.total() + facts.densities.total();
  return evaluations > 0 ? ess_worst / static_cast<double>(evaluations) : kNaN;
}

}  // namespace gadwall
