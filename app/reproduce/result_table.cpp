// Tables in Markdown, CSV and JSON.
#include "reproduce/result_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace gadwall::app::reproduce {
namespace {

constexpr const char* kBrackets = "In brackets: what the paper printed, and ours divided by it. ";

std::string csv_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

bool has_paper_row(const ResultTable& table) {
  return std::ranges::any_of(table.rows,
                             [](const RowSummary& row) { return row.paper != nullptr; });
}

/// But for the seed.
bool same_settings(const Repeat& a, const Repeat& b) {
  auto of_a = a.settings;
  auto of_b = b.settings;
  of_a.erase("seed");
  of_b.erase("seed");
  return of_a == of_b;
}

/// Empty where a row was kept without.
std::string setting(const RowSummary& row, const std::string& key) {
  const auto& settings = row.repeats.front().settings;
  const auto found = settings.find(key);
  return found == settings.end() ? "" : found->second;
}

bool is_of_one_origin(const ResultTable& table) {
  return std::ranges::all_of(table.rows, [&](const RowSummary& row) {
    const RowSummary& first = table.rows.front();
    return setting(row, "data") == setting(first, "data") &&
           setting(row, "build") == setting(first, "build");
  });
}

std::string markdown_cell(const Column& column, const RowSummary& row) {
  const CellText text = cell_text(column, row);
  return text.paper.empty() ? text.ours : fmt::format("{} [{}]", text.ours, text.paper);
}

std::string markdown_row(const Experiment& experiment, const RowSummary& row) {
  std::string line = fmt::format("| {} | {} |", row_title(row), row.repeats.size());
  for (const Column& column : table_columns(experiment)) {
    line += fmt::format(" {} |", markdown_cell(column, row));
  }
  return line + "\n";
}

std::string csv_row(const Experiment& experiment, const RowSummary& row) {
  const Repeat& first = row.repeats.front();
  std::string line =
      fmt::format("{},{},{},{},{},{},{}", experiment.name, row.method, row.repeats.size(),
                  row.scale, first.warmup, first.draws, row.best_hmc ? 1 : 0);
  for (const Column& column : table_columns(experiment)) {
    const MeanAndSd& ours = row.*column.ours;
    line += fmt::format(",{},{},{},{}", csv_number(ours.mean), csv_number(ours.sd),
                        csv_number(column.paper_value(row)), csv_number(column.ratio(row)));
  }
  return line + "\n";
}

report::Json row_json(const Experiment& experiment, const RowSummary& row) {
  report::Json json = {{"method", row.method}, {"scale", row.scale}, {"best_hmc", row.best_hmc}};
  for (const Column& column : table_columns(experiment)) {
    const MeanAndSd& ours = row.*column.ours;
    json[column.key] = {{"mean", ours.mean},
                        {"sd", ours.sd},
                        {"paper", column.paper_value(row)},
                        {"ratio", column.ratio(row)}};
  }
  json["repeats"] = report::Json::array();
  for (const Repeat& repeat : row.repeats) {
    json["repeats"].push_back(to_json(repeat));
    json["repeats"].back().erase("pictures");
  }
  return json;
}

}  // namespace

std::string short_number(double value) {
  if (std::isnan(value)) return "–";
  if (std::abs(value) >= 1000) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

ResultTable result_table(const Experiment& experiment, const RepeatStore& store) {
  ResultTable table{&experiment, {}};
  for (const Method& method : experiment.methods) {
    std::vector<Repeat> repeats = store.find_all(experiment.name, method.name);
    if (repeats.empty()) continue;
    const Repeat first = repeats.front();
    const std::size_t left_out =
        std::erase_if(repeats, [&](const Repeat& other) { return !same_settings(first, other); });
    table.rows.push_back(summarise_row(std::move(repeats)));
    table.rows.back().left_out = left_out;
  }
  choose_hmc(table.rows);
  return table;
}

std::vector<ResultTable> result_tables(const Subject& subject, const RepeatStore& store) {
  std::vector<ResultTable> tables;
  for (const Need& need : subject.needs) {
    ResultTable table = result_table(find_experiment(need.experiment), store);
    if (!table.rows.empty()) tables.push_back(std::move(table));
  }
  return tables;
}

std::string row_title(const RowSummary& row) {
  std::string title = row.method;
  if (row.best_hmc) title += " (best)";
  if (row.scale != 1) title += fmt::format(" × {:g}", row.scale);
  return title;
}

CellText cell_text(const Column& column, const RowSummary& row) {
  const MeanAndSd& ours = row.*column.ours;
  CellText text{.ours = short_number(column.factor * ours.mean), .paper = {}};
  if (column.paper_sd != nullptr && !std::isnan(ours.sd)) {
    text.ours += fmt::format(" ({})", short_number(column.factor * ours.sd));
  }
  if (column.paper == nullptr || row.paper == nullptr) return text;
  const double paper = column.paper_value(row);
  if (std::isnan(paper)) {
    text.paper = ">0.7";
    return text;
  }
  text.paper = fmt::format("{}", paper);
  if (column.paper_sd != nullptr) text.paper += fmt::format(" ({})", row.paper->*column.paper_sd);
  const double ratio = column.ratio(row);
  text.paper += std::isnan(ratio) ? "; –" : fmt::format("; {:.2f}", ratio);
  return text;
}

std::vector<std::string> table_notes(const ResultTable& table) {
  const auto any = [&](auto holds) { return std::ranges::any_of(table.rows, holds); };
  std::vector<std::string> notes;
  notes.emplace_back(
      "Time is processor time, warm-up included; the paper's is MATLAB's on another machine. In "
      "parentheses: one standard deviation over the "
      "repeats. ESS (min, median, max over the coordinates) by the paper's estimator, capped at "
      "the number of draws; worst ESS: the smallest of bulk, tail and squares, uncapped.");
  if (any([](const RowSummary& row) { return row.scale != 1; })) {
    notes.emplace_back(
        "Rows marked × F are shortened: warm-up and draws times F (NUTS, but with --scale-all: the "
        "draws; of its warm-up F is charged).");
    if (has_paper_row(table)) {
      notes.back() += " Their time and ESS are compared with F times the paper's.";
    }
  }
  if (any([](const RowSummary& row) { return !find_method(row.method).in_the_paper; })) {
    notes.emplace_back(
        "The paper's NUTS has unit mass and 500 iterations of warm-up, NUTS-diag and NUTS-dense "
        "have Stan's 1000.");
  }
  for (const RowSummary& row : table.rows) {
    if (row.left_out == 0) continue;
    notes.push_back(fmt::format(
        "{}: {} repeats that were kept with other settings than the first are left out.",
        row.method, row.left_out));
  }
  if (!is_of_one_origin(table)) {
    notes.emplace_back(
        "Not all rows are of the same data files and the same build of gadwall: the JSON has "
        "those of every repeat.");
  }
  if (table.experiment->name == "mnist") {
    notes.emplace_back("The paper's table is of other labels: see --authors-labels.");
  }
  return notes;
}

std::string to_markdown(const std::vector<ResultTable>& tables) {
  std::string text;
  for (const ResultTable& table : tables) {
    if (!text.empty()) text += "\n";
    text += fmt::format("## {}\n\n| Method | Repeats |", table.experiment->title);
    std::string rule = "| --- | --- |";
    for (const Column& column : table_columns(*table.experiment)) {
      text += fmt::format(" {} |", column.title);
      rule += " --- |";
    }
    text += "\n" + rule + "\n";
    for (const RowSummary& row : table.rows) {
      if (row.shown) text += markdown_row(*table.experiment, row);
    }
    text += "\n";
    if (has_paper_row(table)) text += kBrackets;
    text += fmt::format("{}\n", fmt::join(table_notes(table), " "));
  }
  return text;
}

std::string to_csv(const std::vector<ResultTable>& tables) {
  std::string text = "experiment,method,repeats,scale,warmup,draws,best_hmc";
  for (const Column& column : table_columns(*tables.front().experiment)) {
    text += fmt::format(",{0},{0}_sd,{0}_paper,{0}_ratio", column.key);
  }
  text += "\n";
  for (const ResultTable& table : tables) {
    for (const RowSummary& row : table.rows) text += csv_row(*table.experiment, row);
  }
  return text;
}

report::Json to_json(const std::vector<ResultTable>& tables) {
  report::Json json = {{"version", GADWALL_VERSION}, {"experiments", report::Json::array()}};
  for (const ResultTable& table : tables) {
    report::Json rows = report::Json::array();
    for (const RowSummary& row : table.rows) rows.push_back(row_json(*table.experiment, row));
    json["experiments"].push_back(
        {{"name", table.experiment->name}, {"title", table.experiment->title}, {"rows", rows}});
  }
  return json;
}

}  // namespace gadwall::app::reproduce
