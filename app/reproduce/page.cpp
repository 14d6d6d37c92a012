// Tables and figures as JSON, in the page of the report.
#include "reproduce/page.hpp"

#include "report/assets.hpp"
#include "report/template.hpp"
#include "reproduce/figures.hpp"
#include "reproduce/overview.hpp"
#include "reproduce/result_table.hpp"

namespace gadwall::app::reproduce {
namespace {

report::Json table_row(const Experiment& experiment, const RowSummary& row) {
  report::Json cells = report::Json::array();
  for (const Column& column : table_columns(experiment)) {
    const CellText text = cell_text(column, row);
    cells.push_back({{"ours", text.ours}, {"paper", text.paper}});
  }
  return {{"title", row_title(row)}, {"repeats", row.repeats.size()}, {"cells", cells}};
}

report::Json table_section(const ResultTable& table) {
  report::Json heads = {"method", "repeats"};
  for (const Column& column : table_columns(*table.experiment)) heads.push_back(column.title);
  report::Json rows = report::Json::array();
  for (const RowSummary& row : table.rows) {
    if (row.shown) rows.push_back(table_row(*table.experiment, row));
  }
  return {{"title", table.experiment->title},
          {"table", {{"heads", heads}, {"rows", rows}, {"notes", table_notes(table)}}}};
}

report::Json overview_section(const Overview& overview) {
  report::Json heads = {"method"};
  for (const std::string& problem : overview.problems) heads.push_back(problem);
  report::Json rows = report::Json::array();
  for (const Overview::Row& row : overview.rows) {
    rows.push_back({{"title", row.method}, {"cells", row.cells}});
  }
  return {{"title", overview.title},
          {"overview", {{"heads", heads}, {"rows", rows}, {"note", overview_note()}}}};
}

report::Json table_sections(const Subject& subject, const RepeatStore& store) {
  report::Json sections = report::Json::array();
  const std::vector<ResultTable> tables = result_tables(subject, store);
  for (const Overview& overview : overviews(tables)) sections.push_back(overview_section(overview));
  for (const ResultTable& table : tables) {
    sections.push_back(table_section(table));
  }
  return sections;
}

}  // namespace

std::string reproduction_page(const std::vector<Subject>& shown, const RepeatStore& store) {
  report::Json data = {
      {"version", GADWALL_VERSION}, {"specs", figure_specs()}, {"subjects", report::Json::array()}};
  for (const Subject& subject : shown) {
    report::Json sections =
        subject.is_table ? table_sections(subject, store) : figure_sections(subject, store);
    if (sections.empty()) continue;
    data["subjects"].push_back({{"name", subject.name}, {"sections", std::move(sections)}});
  }
  return report::self_contained_page("The paper, reproduced", data, assets::reproduction_js());
}

}  // namespace gadwall::app::reproduce
