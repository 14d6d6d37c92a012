// A table of text for a terminal of some width.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gadwall {

/// How many columns of a terminal the text takes: East Asian characters and pictures two, accents
/// of their own none. UTF-8.
std::size_t display_width(const std::string& text);

/// At most `most` columns wide: the middle is cut out, because names differ at both ends.
std::string shorten(const std::string& text, std::size_t most);

/// At most `most` columns wide: the end is cut off, for sentences.
std::string cut_end(const std::string& text, std::size_t most);

/// UTF-8 without control characters, which would be orders to the terminal, but for those allowed.
/// Whatever comes from a file, a model or a user passes through here before it is shown.
std::string printable(const std::string& text, std::string_view allowed = "");

/// JSON, with `\u009b` and the like for what would be orders to the terminal: the same to whoever
/// parses it. Those below U+0020 JSON never has in texts.
std::string printable_json(const std::string& json);

struct TextColumn {
  std::string title;
  std::vector<std::string> cells;  // one per row
  std::vector<bool> marked;        // cells that are bad; empty: none
  int expendable = 0;  // left out where the table is too wide, the largest first, equal ones
                       // together; 0: never
};

/// The first column, of names, to the left and shortened if need be, the others to the right, each
/// as wide as it needs. A width of 0 stands for any. In colour the titles are faint and the marked
/// cells red.
std::string text_table(std::vector<TextColumn> columns, std::size_t width, bool colour);

}  // namespace gadwall
