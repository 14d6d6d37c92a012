#include "files/chain_origins.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

namespace gadwall::files {
namespace {

/// Takes a number and the character after it, 0 where the text ends there; false where there is
/// none.
template <class Number>
bool take(std::string_view& text, Number& number, char after) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (after == 0) return text.empty();
  if (!text.starts_with(after)) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string to_text(const std::vector<ChainRange>& ranges) {
  std::string text;
  for (const ChainRange& range : ranges) {
    text += fmt::format("{}{}:{}-{}", text.empty() ? "" : " ", range.seed, range.first,
                        range.first + range.count - 1);
  }
  return text;
}

std::vector<ChainRange> ranges_from_text(const std::string& text) {
  std::vector<ChainRange> ranges;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    std::string_view rest = word;
    ChainRange range;
    Index last = 0;
    const bool is_range =
        take(rest, range.seed, ':') && take(rest, range.first, '-') && take(rest, last, 0);
    if (!is_range || range.first < 0 || last < range.first) return {};
    range.count = last - range.first + 1;
    ranges.push_back(range);
  }
  return ranges;
}

}  // namespace gadwall::files
