// A measure of all methods on all problems.
#include "reproduce/overview.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gadwall::app::reproduce {
namespace {

constexpr std::size_t kRepeats = 10;  // the paper's: fewer are marked

constexpr const char* kMeasures[] = {"worst_per_gradient", "ess_per_gradient", "worst_per_second",
                                     "ess_per_second"};

/// "beyond-german": german.
std::string problem_name(const Experiment& experiment) {
  return experiment.name.substr(experiment.name.find('-') + 1);
}

std::string cell(const Column& column, const RowSummary& row) {
  std::string text = short_number(column.factor * (row.*column.ours).mean);
  const Method& method = find_method(row.method);
  if (method.has_leapfrogs()) text += fmt::format(" [{:g}]", method.number("leapfrog"));
  if (row.scale != 1) text += fmt::format(" × {:g}", row.scale);
  if (row.repeats.size() < kRepeats) text += fmt::format(" ({})", row.repeats.size());
  return text;
}

/// A table shows one HMC, the best, which is another one from problem to problem.
std::string row_name(const std::string& method) {
  return find_method(method).has_leapfrogs() ? "HMC, best" : method;
}

std::string cell_of(const std::string& name, const Column& column, const ResultTable& table) {
  for (const RowSummary& row : table.rows) {
    if (row.shown && row_name(row.method) == name) return cell(column, row);
  }
  return "";
}

Overview overview(const std::string& key, const std::vector<ResultTable>& tables) {
  const std::vector<Column>& columns = table_columns(*tables.front().experiment);
  const Column& column = *std::ranges::find(columns, key, &Column::key);
  Overview all{.title = column.title, .problems = {}, .rows = {}};
  for (const ResultTable& table : tables) all.problems.push_back(problem_name(*table.experiment));
  for (const Method& method : beyond_methods()) {
    Overview::Row row{row_name(method.name), {}};
    if (!all.rows.empty() && all.rows.back().method == row.method) continue;
    for (const ResultTable& table : tables) row.cells.push_back(cell_of(row.method, column, table));
    all.rows.push_back(std::move(row));
  }
  std::erase_if(all.rows, [](const Overview::Row& row) {
    return std::ranges::all_of(row.cells, &std::string::empty);
  });
  return all;
}

}  // namespace

std::vector<Overview> overviews(const std::vector<ResultTable>& tables) {
  std::vector<ResultTable> beyond;
  std::ranges::copy_if(tables, std::back_inserter(beyond),
                       [](const ResultTable& table) { return table.experiment->beyond; });
  std::vector<Overview> all;
  if (beyond.empty()) return all;
  for (const char* measure : kMeasures) all.push_back(overview(measure, beyond));
  return all;
}

std::string overview_note() {
  return fmt::format(
      "Means over {} repeats; (N): over fewer; × F: shortened, as said below the problem's table; "
      "in brackets, the leapfrog steps of the HMC with most min ESS per second.",
      kRepeats);
}

std::string overview_markdown(const std::vector<ResultTable>& tables) {
  std::string text;
  for (const Overview& all : overviews(tables)) {
    text += fmt::format("## {}\n\n| | {} |\n|", all.title, fmt::join(all.problems, " | "));
    for (std::size_t i = 0; i <= all.problems.size(); ++i) text += " --- |";
    text += "\n";
    for (const Overview::Row& row : all.rows) {
      text += fmt::format("| {} | {} |\n", row.method, fmt::join(row.cells, " | "));
    }
    text += fmt::format("\n{}\n\n", overview_note());
  }
  return text;
}

}  // namespace gadwall::app::reproduce
