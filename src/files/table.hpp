// A table from a text file: rows of cells, numbers or names.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "files/cell.hpp"
#include "gadwall/types.hpp"

namespace gadwall::files {

/// Whether the first line holds the names of the columns. `automatic` looks at the first line and
/// at most 100 rows after it. A column *speaks for a header* when its first cell is text and the
/// cells below are numbers (missing values apart).
///  - No cell of the first line is a number: a header when a column speaks for one, or when every
///    cell is text and no two are the same (a table of text, to be refused with its own names).
///  - Some cell is a number and no column speaks for a header: no header. A column of named classes
///    is text from the first line on, so it does not speak for one.
///  - Some cell is a number and a column speaks for a header: refused. It may be a header with
///    numbers for names or data with a slip of the pen; a guess could lose a row in silence.
enum class HeaderLine { automatic, yes, no };

struct TableOptions {
  HeaderLine header = HeaderLine::automatic;
};

/// Rows are kept as text and cut when asked for: the memory is that of the file.
///
/// Cells are separated by commas, semicolons, tabs, or else whitespace, as the first line shows.
/// Quotes hold separators ("a,b"), and a doubled quote one quote; a quoted cell ends on its line.
/// Blank lines and lines that start with '#' are skipped; they count in line numbers. A separator
/// at the end of a line is ignored where the first line has no cell for it, or where every line
/// has one. Line ends are LF, CRLF or CR.
class Table {
 public:
  Index rows() const { return static_cast<Index>(rows_.size()); }
  Index columns() const { return static_cast<Index>(names_.size()); }
  const std::string& file() const { return file_; }
  bool has_header() const { return has_header_; }

  /// As in the header; x1, x2, ... without one and for an empty name. Not necessarily unique.
  const std::vector<std::string>& names() const { return names_; }

  /// The line of the file (from 1) that holds a row (from 0).
  std::size_t line(Index row) const { return rows_[static_cast<std::size_t>(row)].line; }

  /// "column 3 ('age')", or "column 3" without a header.
  std::string title(Index column) const;

  /// The given columns as numbers into `out`, rows() x columns.size(). Throws UsageError for the
  /// first cell, by line, that is not a finite number.
  void read_numbers(std::span<const Index> columns, MatrixRef out) const;

  /// The cells of one column as they are written, without quotes. Throws UsageError for a missing
  /// or infinite value.
  std::vector<std::string> read_text(Index column) const;

 private:
  struct Row {
    std::size_t begin = 0, size = 0;  // in text_
    std::size_t line = 0;             // in the file, from 1
  };

  friend Table parse_table(std::string text, const std::string& name, const TableOptions& options);

  void find_rows();
  void settle_width();
  bool first_line_is_header() const;
  void take_names();
  void cut(const Row& row, std::vector<TableCell>& cells) const;
  [[noreturn]] void refuse(const Row& row, Index column, const std::string& complaint) const;

  std::string text_, file_;
  std::vector<Row> rows_;
  std::vector<std::string> names_;
  std::size_t width_ = 0;  // cells of every row
  char separator_ = ',';
  bool has_header_ = false;
};

/// A table from a file, plain or gzip.
Table read_table(const std::string& path, const TableOptions& options = {});

/// A table from text; `name` stands for the file in messages.
Table parse_table(std::string text, const std::string& name, const TableOptions& options = {});

}  // namespace gadwall::files
