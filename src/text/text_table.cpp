// Columns of text: measured, shortened, left out, painted.
#include "text/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text/utf8.hpp"

namespace gadwall {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kShortName = 8;  // names are not cut below this
constexpr std::size_t kFairName = 24;  // columns are left out before names are cut below this

/// take(character) for each character of UTF-8 text, as its bytes.
template <class Take>
void for_each_character(std::string_view text, Take take) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  for (std::size_t first = 0, end; first < text.size(); first = end) {
    end = first + 1;
    while (end < text.size() && continues(text[end])) ++end;
    take(text.substr(first, end - first));
  }
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> result;
  for_each_character(text, [&](std::string_view character) { result.push_back(character); });
  return result;
}

char32_t code_point(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (first < 0x80) return first;
  char32_t code = first & (0x7F >> std::min<std::size_t>(character.size(), 7));
  for (std::size_t i = 1; i < character.size(); ++i) {
    code = code << 6 | (static_cast<unsigned char>(character[i]) & 0x3F);
  }
  return code;
}

/// After Unicode's East Asian Width, by blocks.
std::size_t columns_of(char32_t code) {
  struct Range {
    char32_t first, last;
  };
  constexpr Range wide[] = {{0x1100, 0x115F},   {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},
                            {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
                            {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF},
                            {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};
  if ((code >= 0x300 && code <= 0x36F) || code == 0x200D || code == 0xFE0F) return 0;
  const auto holds = [code](const Range& r) { return code >= r.first && code <= r.last; };
  return std::ranges::any_of(wide, holds) ? 2 : 1;
}

/// Marks and overrides of the direction of writing, with which text can be made to look like other
/// text (U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069).
bool is_direction(char32_t code) {
  return code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

/// What a terminal does not show but obeys.
bool is_order(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || is_direction(code);
}

/// As many characters from the front as fit.
std::string take(const std::vector<std::string_view>& text, std::size_t most) {
  std::string result;
  std::size_t used = 0;
  for (const std::string_view character : text) {
    used += columns_of(code_point(character));
    if (used > most) break;
    result += character;
  }
  return result;
}

/// As many characters from the back as fit.
std::string take_last(const std::vector<std::string_view>& text, std::size_t most) {
  std::string result;
  std::size_t used = 0;
  for (auto character = text.rbegin(); character != text.rend(); ++character) {
    used += columns_of(code_point(*character));
    if (used > most) break;
    result.insert(0, *character);
  }
  return result;
}

std::size_t width_of(const TextColumn& column) {
  std::size_t widest = display_width(column.title);
  for (const std::string& cell : column.cells) widest = std::max(widest, display_width(cell));
  return widest;
}

/// All columns but the first, with the gaps before them.
std::size_t width_of_rest(const std::vector<TextColumn>& columns) {
  std::size_t sum = 0;
  for (std::size_t j = 1; j < columns.size(); ++j) sum += kGap + width_of(columns[j]);
  return sum;
}

void leave_out(std::vector<TextColumn>& columns, std::size_t width) {
  const std::size_t name = std::min(width_of(columns.front()), kFairName);
  while (name + width_of_rest(columns) > width) {
    const int least_needed = std::ranges::max(columns, {}, &TextColumn::expendable).expendable;
    if (least_needed == 0) return;
    std::erase_if(columns, [&](const TextColumn& c) { return c.expendable == least_needed; });
  }
}

void shorten_names(std::vector<TextColumn>& columns, std::size_t width) {
  const std::size_t rest = width_of_rest(columns);
  const std::size_t most = std::max(kShortName, width > rest ? width - rest : 0);
  columns.front().title = shorten(columns.front().title, most);
  for (std::string& name : columns.front().cells) name = shorten(name, most);
}

std::string painted(const std::string& text, const char* code, bool colour) {
  return colour ? "\x1b[" + std::string(code) + "m" + text + "\x1b[0m" : text;
}

}  // namespace

std::size_t display_width(const std::string& text) {
  std::size_t sum = 0;
  for_each_character(text, [&](std::string_view c) { sum += columns_of(code_point(c)); });
  return sum;
}

std::string shorten(const std::string& text, std::size_t most) {
  if (display_width(text) <= most) return text;
  const std::vector<std::string_view> all = characters(text);
  return take(all, most / 2) + "…" + take_last(all, most - most / 2 - 1);
}

std::string cut_end(const std::string& text, std::size_t most) {
  if (display_width(text) <= most) return text;
  return most == 0 ? "" : take(characters(text), most - 1) + "…";
}

std::string printable(const std::string& text, std::string_view allowed) {
  std::string result;
  for_each_character(as_utf8(text), [&](std::string_view character) {
    const char32_t code = code_point(character);
    const bool is_allowed = code < 0x80 && allowed.find(character[0]) != allowed.npos;
    result += is_order(code) && !is_allowed ? "�" : character;
  });
  return result;
}

std::string printable_json(const std::string& json) {
  std::string result;
  for_each_character(json, [&](std::string_view character) {
    const char32_t code = code_point(character);
    if (code >= 0x7F && is_order(code)) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(code));
    } else {
      result += character;
    }
  });
  return result;
}

std::string text_table(std::vector<TextColumn> columns, std::size_t width, bool colour) {
  if (width > 0) {
    leave_out(columns, width);
    shorten_names(columns, width);
  }
  std::vector<std::size_t> widths;
  for (const TextColumn& column : columns) widths.push_back(width_of(column));
  std::string text;
  const std::size_t rows = columns.front().cells.size();
  for (std::size_t line = 0; line <= rows; ++line) {  // the titles, then the rows
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const TextColumn& column = columns[j];
      const std::string& cell = line == 0 ? column.title : column.cells[line - 1];
      const bool marked = line > 0 && !column.marked.empty() && column.marked[line - 1];
      const std::string space(widths[j] - display_width(cell), ' ');
      const std::string shown =
          painted(cell, marked ? "1;31" : "2", colour && (marked || line == 0));
      text += j == 0 ? shown + space : std::string(kGap, ' ') + space + shown;
    }
    text += '\n';
  }
  return text;
}

}  // namespace gadwall
