// A table from a text file: finds rows, width and header once; cuts rows into cells on demand.
#include "files/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "files/text_file.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

// What stands below the first line in one column.
struct ColumnBelow {
  bool has_number = false;
  bool has_text = false;
};

}  // namespace

std::string Table::title(Index column) const {
  std::string position = fmt::format("column {}", column + 1);
  if (!has_header_) return position;
  return fmt::format("{} ({})", position, shown(names_[static_cast<std::size_t>(column)]));
}

void Table::refuse(const Row& row, Index column, const std::string& complaint) const {
  throw UsageError(fmt::format("{}:{}: {}: {}", file_, row.line, title(column), complaint));
}

void Table::cut(const Row& row, std::vector<TableCell>& cells) const {
  const std::string_view line = std::string_view(text_).substr(row.begin, row.size);
  const std::string_view problem = split_cells(line, separator_, cells);
  if (!problem.empty()) throw UsageError(fmt::format("{}:{}: {}", file_, row.line, problem));
}

void Table::read_numbers(std::span<const Index> columns, MatrixRef out) const {
  std::vector<TableCell> cells;
  for (Index i = 0; i < rows(); ++i) {
    const Row& row = rows_[static_cast<std::size_t>(i)];
    cut(row, cells);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const TableCell& cell = cells[static_cast<std::size_t>(columns[k])];
      const CellValue value = cell_value(cell);
      if (value.kind != CellKind::number) {
        refuse(row, columns[k], cell_complaint(cell, value.kind));
      }
      out(i, static_cast<Index>(k)) = value.number;
    }
  }
}

std::vector<std::string> Table::read_text(Index column) const {
  std::vector<std::string> result;
  result.reserve(rows_.size());
  std::vector<TableCell> cells;
  for (const Row& row : rows_) {
    cut(row, cells);
    const TableCell& cell = cells[static_cast<std::size_t>(column)];
    const CellKind kind = cell_value(cell).kind;
    if (kind != CellKind::number && kind != CellKind::text) {
      refuse(row, column, cell_complaint(cell, kind));
    }
    result.push_back(cell_text(cell));
  }
  return result;
}

void Table::find_rows() {
  const std::string_view text = text_;
  if (text.find('\0') != std::string_view::npos) {
    throw UsageError(fmt::format("{}: not a text file (it holds zero bytes)", file_));
  }
  const char line_end = text.find('\n') == std::string_view::npos ? '\r' : '\n';
  std::size_t begin = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  for (std::size_t line = 1; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find(line_end, begin), text.size());
    const std::string_view content = text.substr(begin, end - begin);
    const std::size_t first = content.find_first_not_of(blanks);
    if (first != std::string_view::npos && content[first] != '#') {
      rows_.push_back({begin, content.size(), line});
    }
    begin = end + 1;
  }
  if (rows_.empty()) throw UsageError(fmt::format("{}: no data, the file is empty", file_));
}

void Table::settle_width() {
  struct Width {
    std::size_t cells;
    bool open_end;  // the line ends with a separator
  };
  std::vector<Width> widths;
  std::vector<TableCell> cells;
  for (const Row& row : rows_) {
    cut(row, cells);
    const bool open_end = cells.size() > 1 && cells.back().raw.empty() && !cells.back().quoted;
    widths.push_back({cells.size(), open_end});
  }
  const bool all_open = std::ranges::all_of(widths, &Width::open_end);
  width_ = widths.front().cells - (all_open ? 1 : 0);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto [count, open_end] = widths[i];
    const std::size_t seen = count - (all_open ? 1 : 0);
    if (seen == width_ || (open_end && !all_open && seen == width_ + 1)) continue;
    throw UsageError(fmt::format("{}:{}: {} cell{}, expected {} (as in line {})", file_,
                                 rows_[i].line, seen, seen == 1 ? "" : "s", width_,
                                 rows_.front().line));
  }
}

bool Table::first_line_is_header() const {
  constexpr std::size_t rows_below = 100;
  std::vector<TableCell> first, cells;
  cut(rows_.front(), first);
  std::vector<ColumnBelow> below(width_);
  for (std::size_t i = 1; i < std::min(rows_.size(), rows_below + 1); ++i) {
    cut(rows_[i], cells);
    for (std::size_t j = 0; j < width_; ++j) {
      const CellKind kind = cell_value(cells[j]).kind;
      below[j].has_number |= kind == CellKind::number;
      below[j].has_text |= kind == CellKind::text;
    }
  }
  const TableCell* number = nullptr;
  const TableCell* speaker = nullptr;
  std::set<std::string_view> texts;
  for (std::size_t j = 0; j < width_; ++j) {
    const CellKind kind = cell_value(first[j]).kind;
    if (kind == CellKind::number) number = &first[j];
    if (kind != CellKind::text) continue;
    texts.insert(first[j].raw);
    if (below[j].has_number && !below[j].has_text) speaker = &first[j];
  }
  if (number == nullptr) return speaker != nullptr || texts.size() == width_;
  if (speaker == nullptr) return false;
  throw UsageError(fmt::format(
      "{}:{}: a header or data? {} is not a number, {} is one; say whether there is a header",
      file_, rows_.front().line, shown(cell_text(*speaker)), shown(cell_text(*number))));
}

void Table::take_names() {
  std::vector<TableCell> cells;
  if (has_header_) {
    cut(rows_.front(), cells);
    if (rows_.size() == 1) {
      throw UsageError(fmt::format("{}: a header and no rows below it", file_));
    }
    rows_.erase(rows_.begin());
  }
  for (std::size_t j = 0; j < width_; ++j) {
    names_.push_back(has_header_ ? cell_text(cells[j]) : "");
    if (names_.back().empty()) names_.back() = fmt::format("x{}", j + 1);
  }
}

Table parse_table(std::string text, const std::string& name, const TableOptions& options) {
  Table table;
  table.text_ = std::move(text);
  table.file_ = name;
  table.find_rows();
  const auto& first = table.rows_.front();
  table.separator_ =
      detect_separator(std::string_view(table.text_).substr(first.begin, first.size));
  table.settle_width();
  table.has_header_ = options.header == HeaderLine::yes ||
                      (options.header == HeaderLine::automatic && table.first_line_is_header());
  table.take_names();
  return table;
}

Table read_table(const std::string& path, const TableOptions& options) {
  return parse_table(read_text_file(path), path, options);
}

}  // namespace gadwall::files
