#include "stan/program_text.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

namespace gadwall::stan {

std::string without_asides(std::string_view program) {
  std::string text(program);
  const auto blank = [&text](std::size_t begin, std::size_t end) {
    end = std::min(end, text.size());
    std::replace_if(
        text.begin() + static_cast<std::ptrdiff_t>(begin),
        text.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != '\n'; }, ' ');
    return end;
  };
  const auto after = [&text](std::string_view mark, std::size_t from) {
    const std::size_t found = text.find(mark, from);
    return found == std::string::npos ? found : found + mark.size();
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '#' || text.compare(at, 2, "//") == 0) {
      at = blank(at, text.find('\n', at));
    } else if (text.compare(at, 2, "/*") == 0) {
      at = blank(at, after("*/", at + 2)) - 1;
    } else if (text[at] == '"') {
      at = blank(at, after("\"", at + 1)) - 1;
    }
  }
  return text;
}

bool has_word(const std::string& program, std::string_view word) {
  const std::string text = without_asides(program);
  return std::regex_search(text, std::regex("\\b" + std::string(word) + "\\b"));
}

/// Each stretch of white space as one blank: std::regex calls itself for every character of it.
std::string with_single_blanks(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool is_blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!is_blank || result.empty() || result.back() != ' ') result += is_blank ? ' ' : c;
  }
  return result;
}

bool has_data(const std::string& program) {
  static const std::regex block(R"((?:^|[^\w\s])\s*data\s*\{\s*([^}\s]))");
  return std::regex_search(with_single_blanks(without_asides(program)), block);
}

}  // namespace gadwall::stan
