// One cell of a text table: cutting a line into cells, and what a cell holds.
#include "files/cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "text/utf8.hpp"

namespace gadwall::files {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_missing(std::string_view text) {
  constexpr std::array<std::string_view, 5> markers = {"", "?", "na", "n/a", "null"};
  const auto same = [text](std::string_view marker) {
    return std::equal(text.begin(), text.end(), marker.begin(), marker.end(), [](char a, char b) {
      return a == b || (a >= 'A' && a <= 'Z' && a + 32 == b);
    });
  };
  return std::any_of(markers.begin(), markers.end(), same);
}

// Walks along one line.
class LineCutter {
 public:
  LineCutter(std::string_view line, char separator) : line_(line), separator_(separator) {}

  bool at_end() const { return place_ == line_.size(); }
  bool at_separator() const {
    return separator_ == whitespace_separator ? is_blank(line_[place_])
                                              : line_[place_] == separator_;
  }
  bool at_quote() const { return !at_end() && line_[place_] == '"'; }
  void step() { ++place_; }
  void skip_blanks() {
    while (!at_end() && is_blank(line_[place_]) && line_[place_] != separator_) ++place_;
  }
  void skip_whitespace() {
    while (!at_end() && is_blank(line_[place_])) ++place_;
  }

  TableCell plain() {
    const std::size_t begin = place_;
    while (!at_end() && !at_separator()) ++place_;
    return {trimmed(line_.substr(begin, place_ - begin)), false};
  }

  // From an opening quote to past the closing one; false when there is none.
  bool quoted(TableCell& cell) {
    const std::size_t begin = ++place_;
    for (;; place_ += 2) {
      place_ = line_.find('"', place_);
      if (place_ == std::string_view::npos) return false;
      if (place_ + 1 == line_.size() || line_[place_ + 1] != '"') break;
    }
    cell = {line_.substr(begin, place_ - begin), true};
    ++place_;
    return true;
  }

 private:
  std::string_view line_;
  char separator_;
  std::size_t place_ = 0;
};

}  // namespace

char detect_separator(std::string_view line) {
  std::size_t commas = 0, semicolons = 0, tabs = 0;
  bool inside_quotes = false;
  for (const char c : trimmed(line)) {
    if (c == '"') inside_quotes = !inside_quotes;
    if (inside_quotes) continue;
    commas += c == ',';
    semicolons += c == ';';
    tabs += c == '\t';
  }
  const std::size_t most = std::max({commas, semicolons, tabs});
  if (most == 0) return whitespace_separator;
  if (most == tabs) return '\t';
  return most == semicolons ? ';' : ',';
}

std::string_view split_cells(std::string_view line, char separator, std::vector<TableCell>& cells) {
  cells.clear();
  LineCutter cutter(line, separator);
  const bool by_whitespace = separator == whitespace_separator;
  for (;;) {
    by_whitespace ? cutter.skip_whitespace() : cutter.skip_blanks();
    if (by_whitespace && cutter.at_end()) return "";
    if (cutter.at_quote()) {
      TableCell cell;
      if (!cutter.quoted(cell)) return "a quote is not closed on this line";
      if (!by_whitespace) cutter.skip_blanks();
      if (!cutter.at_end() && !cutter.at_separator()) return "text follows a closing quote";
      cells.push_back(cell);
    } else {
      cells.push_back(cutter.plain());
    }
    if (cutter.at_end()) return "";
    cutter.step();
  }
}

CellValue cell_value(const TableCell& cell) {
  const std::string_view content = trimmed(cell.raw);
  std::string_view text = content;
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (stop != end || error == std::errc::invalid_argument) {
    return {is_missing(content) ? CellKind::missing : CellKind::text, 0};
  }
  if (error == std::errc::result_out_of_range) return {CellKind::out_of_range, 0};
  if (std::isnan(number)) return {CellKind::missing, 0};
  if (std::isinf(number)) return {CellKind::infinite, 0};
  return {CellKind::number, number};
}

std::string cell_text(const TableCell& cell) {
  if (!cell.quoted) return as_utf8(cell.raw);
  std::string text;
  for (std::size_t i = 0; i < cell.raw.size(); ++i) {
    text += cell.raw[i];
    if (cell.raw[i] == '"') ++i;  // inside quotes a quote is always one of a pair
  }
  return as_utf8(text);
}

std::string cell_complaint(const TableCell& cell, CellKind kind) {
  if (kind == CellKind::missing && cell.raw.empty()) return "missing value";
  const std::string value = shown(cell_text(cell));
  switch (kind) {
    case CellKind::missing:
      return fmt::format("missing value ({})", value);
    case CellKind::infinite:
      return fmt::format("{} is not a finite number", value);
    case CellKind::out_of_range:
      return fmt::format("{} is out of the range of a double", value);
    default:
      return fmt::format("{} is not a number", value);
  }
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string_view kept = text.substr(0, longest);
  if (kept.size() < text.size()) {  // cut before, not inside, a character of UTF-8
    const auto continues = [text](std::size_t i) { return (text[i] & 0xC0) == 0x80; };
    while (!kept.empty() && continues(kept.size())) kept.remove_suffix(1);
  }
  std::string result(kept);
  std::replace_if(
      result.begin(), result.end(),
      [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }, '?');
  return fmt::format("'{}{}'", result, kept.size() < text.size() ? "..." : "");
}

}  // namespace gadwall::files
