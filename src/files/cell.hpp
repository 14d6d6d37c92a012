// One cell of a text table: cutting a line into cells, and what a cell holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gadwall::files {

/// A view into its line, without the surrounding blanks and quotes.
struct TableCell {
  std::string_view raw;  // quoted: doubled quotes are still doubled
  bool quoted = false;
};

enum class CellKind { number, missing, infinite, out_of_range, text };

struct CellValue {
  CellKind kind = CellKind::text;
  double number = 0;  // of CellKind::number only
};

/// Separates cells by runs of spaces and tabs.
constexpr char whitespace_separator = ' ';

/// The most frequent of comma, semicolon and tab outside quotes; whitespace where there is none.
char detect_separator(std::string_view line);

/// Cuts a line. Returns what is wrong with its quotes, or "" when nothing is.
std::string_view split_cells(std::string_view line, char separator, std::vector<TableCell>& cells);

/// Independent of the locale; a leading '+' is accepted. Missing: empty, NA, N/A, NaN, null, '?'.
CellValue cell_value(const TableCell& cell);

/// The text a cell stands for: doubled quotes made single, in UTF-8 (see io/utf8.hpp).
std::string cell_text(const TableCell& cell);

/// What is wrong with a cell that should be a finite number, e.g. "'abc' is not a number".
std::string cell_complaint(const TableCell& cell, CellKind kind);

/// Text from a file made fit for a one-line message: quoted, shortened, without control characters.
std::string shown(std::string_view text);

}  // namespace gadwall::files
