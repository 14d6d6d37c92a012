// Means and standard deviations over the repeats.
#include "reproduce/row_summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reproduce/methods.hpp"

namespace gadwall::app::reproduce {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

template <class Value>
MeanAndSd over(const std::vector<Repeat>& repeats, Value value) {
  std::vector<double> values;
  values.reserve(repeats.size());
  for (const Repeat& repeat : repeats) values.push_back(value(repeat));
  return mean_and_sd(values);
}

/// The paper's, and two of ours.
const std::vector<Column>& columns_of_the_paper() {
  using R = RowSummary;
  using P = PaperRow;
  static const std::vector<Column> columns = {
      {"seconds", "Time, s", &R::seconds, &P::seconds, nullptr, true},
      {"acceptance", "Acceptance", &R::acceptance, &P::acceptance, nullptr, false},
      {"ess_min", "ESS min", &R::ess_min, &P::ess_min, nullptr, true},
      {"ess_median", "ESS median", &R::ess_median, &P::ess_median, nullptr, true},
      {"ess_max", "ESS max", &R::ess_max, &P::ess_max, nullptr, true},
      {"ess_per_second", "Min ESS/s", &R::ess_per_second, &P::ess_per_second, &P::ess_per_second_sd,
       false},
      {"worst_per_second", "Worst ESS/s", &R::worst_per_second, nullptr, nullptr, false},
      {"worst_per_gradient", "Worst ESS per 1000 gradients", &R::worst_per_gradient, nullptr,
       nullptr, false, 1000}};
  return columns;
}

/// Both kinds of ESS: of all draws, per second, per gradient.
const std::vector<Column>& columns_beyond() {
  using R = RowSummary;
  const auto ours = [](const char* key, const char* title, MeanAndSd R::*value, double factor = 1) {
    return Column{key, title, value, nullptr, nullptr, false, factor};
  };
  static const std::vector<Column> columns = {
      ours("seconds", "Time, s", &R::seconds),
      ours("acceptance", "Acceptance", &R::acceptance),
      ours("ess_min", "Min ESS", &R::ess_min),
      ours("ess_worst", "Worst ESS", &R::ess_worst),
      ours("ess_per_second", "Min ESS/s", &R::ess_per_second),
      ours("worst_per_second", "Worst ESS/s", &R::worst_per_second),
      ours("ess_per_gradient", "Min ESS per 1000 gradients", &R::ess_per_gradient, 1000),
      ours("worst_per_gradient", "Worst ESS per 1000 gradients", &R::worst_per_gradient, 1000)};
  return columns;
}

}  // namespace

MeanAndSd mean_and_sd(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  const double mean = sum / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, count > 1 ? std::sqrt(squares / (count - 1)) : kUnknown};
}

RowSummary summarise_row(std::vector<Repeat> repeats) {
  const Repeat& first = repeats.front();
  RowSummary row;
  row.method = first.name.method;
  row.scale = first.scale;
  row.paper = find_paper_row(first.name.experiment, row.method);
  using R = const Repeat&;
  row.seconds = over(repeats, [](R r) { return r.seconds; });
  row.acceptance = over(repeats, [](R r) { return r.acceptance; });
  row.ess_min = over(repeats, [](R r) { return r.ess.min; });
  row.ess_median = over(repeats, [](R r) { return r.ess.median; });
  row.ess_max = over(repeats, [](R r) { return r.ess.max; });
  row.ess_worst = over(repeats, [](R r) { return r.ess_worst; });
  row.ess_per_second = over(repeats, [](R r) { return r.ess_per_second(); });
  row.worst_per_second = over(repeats, [](R r) { return r.worst_per_second(); });
  row.ess_per_gradient = over(repeats, [](R r) { return r.ess_per_gradient(); });
  row.worst_per_gradient = over(repeats, [](R r) { return r.worst_per_gradient(); });
  row.repeats = std::move(repeats);
  return row;
}

void choose_hmc(std::vector<RowSummary>& rows) {
  std::vector<RowSummary*> hmc;
  for (RowSummary& row : rows) {
    if (find_method(row.method).has_leapfrogs()) hmc.push_back(&row);
  }
  if (hmc.size() < 2) return;
  const auto speed = [](const RowSummary* row) {
    const double mean = row->ess_per_second.mean;
    return std::isnan(mean) ? -1 : mean;
  };
  for (RowSummary* row : hmc) row->shown = row->paper != nullptr;
  RowSummary& best = **std::ranges::max_element(hmc, {}, speed);
  best.best_hmc = best.shown = true;
}

double Column::paper_value(const RowSummary& row) const {
  return paper == nullptr || row.paper == nullptr ? kUnknown : row.paper->*paper;
}

double Column::ratio(const RowSummary& row) const {
  return (row.*ours).mean / (paper_value(row) * (grows ? row.scale : 1));
}

const std::vector<Column>& table_columns(const Experiment& experiment) {
  return experiment.beyond ? columns_beyond() : columns_of_the_paper();
}

}  // namespace gadwall::app::reproduce
