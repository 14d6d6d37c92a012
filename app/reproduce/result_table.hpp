// The rows of one experiment for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "report/encode.hpp"
#include "reproduce/repeat_store.hpp"
#include "reproduce/row_summary.hpp"

namespace gadwall::app::reproduce {

struct ResultTable {
  const Experiment* experiment;
  std::vector<RowSummary> rows;  // in the order of the experiment; those with a repeat
};

/// From the repeats that are kept. A method whose repeats have different settings (only --force
/// leaves such) is shown by those that agree with the first.
ResultTable result_table(const Experiment& experiment, const RepeatStore& store);

/// Of a subject's experiments, those of which there is a repeat.
std::vector<ResultTable> result_tables(const Subject& subject, const RepeatStore& store);

/// "gadMALAf", with what must be known of the row behind it.
std::string row_title(const RowSummary& row);

/// Three digits that matter, more before the point where there are more.
std::string short_number(double value);

/// Cells as text: ours, and the paper's with the ratio where there are such.
struct CellText {
  std::string ours;
  std::string paper;  // "161.7 (15.07); 0.98"; empty where the paper has none
};
CellText cell_text(const Column& column, const RowSummary& row);

/// What a reader of a table must be told; one sentence each.
std::vector<std::string> table_notes(const ResultTable& table);

std::string to_markdown(const std::vector<ResultTable>& tables);

/// One line a row, all rows; NaN is an empty cell. The tables are of one subject, and have its
/// columns.
std::string to_csv(const std::vector<ResultTable>& tables);

/// Every row with its means, the paper's values and every repeat, without the pictures.
report::Json to_json(const std::vector<ResultTable>& tables);

}  // namespace gadwall::app::reproduce
