// Names chosen by lists, ranges and wildcards.
#include "text/name_selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "gadwall/error.hpp"
#include "text/nearest_name.hpp"

namespace gadwall {
namespace {

struct IndexRange {
  Index first = 1;
  Index last = 1;
};

/// theta[1:3,2]: a stem and a range an index; no ranges: every element.
struct Item {
  std::string text;
  std::string stem;
  std::vector<IndexRange> ranges;
};

[[noreturn]] void refuse(const std::string& item) {
  throw UsageError(
      fmt::format("'{}' is no name, expected e.g. beta, theta[2], theta[1:3], x*", item));
}

/// At separators that are not inside brackets.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == separator && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string trim(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::optional<Index> whole(const std::string& text) {
  Index value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || end.ec != std::errc() || end.ptr != text.data() + text.size()) return {};
  return value;
}

IndexRange parse_range(const std::string& text, const std::string& item) {
  const auto colon = text.find(':');
  const auto first = whole(trim(text.substr(0, colon)));
  const auto last = colon == std::string::npos ? first : whole(trim(text.substr(colon + 1)));
  if (!first || !last || *first < 1 || *last < *first) refuse(item);
  return {*first, *last};
}

Item parse(const std::string& text) {
  Item item{trim(text), trim(text), {}};
  const auto open = item.text.find('[');
  if (open == std::string::npos) return item;
  if (open == 0 || !item.text.ends_with(']')) refuse(item.text);
  item.stem = item.text.substr(0, open);
  const std::string inside = item.text.substr(open + 1, item.text.size() - open - 2);
  for (const std::string& part : split(inside, ',')) {
    item.ranges.push_back(parse_range(part, item.text));
  }
  return item;
}

/// The indices of STEM.1.2, or of STEM.1.2:3, a part of a tuple; nothing where the name is not an
/// element of the stem.
std::optional<std::vector<Index>> indices_of(const std::string& name, const std::string& stem) {
  if (!name.starts_with(stem)) return {};
  const std::string rest = name.substr(stem.size());
  const std::string numbers = rest.substr(0, rest.find(':'));
  std::vector<Index> indices;
  if (numbers.empty() && !rest.empty()) return indices;
  if (!numbers.starts_with('.')) return {};
  for (const std::string& part : split(numbers.substr(1), '.')) {
    const auto index = whole(part);
    if (!index) return {};
    indices.push_back(*index);
  }
  return indices;
}

bool has_wildcard(const std::string& text) {
  return text.find_first_of("*?") != std::string::npos;
}

bool fits(const std::string& name, const Item& item) {
  if (item.ranges.empty() && name == item.text) return true;
  if (has_wildcard(item.stem) && item.ranges.empty()) {
    return fnmatch(item.stem.c_str(), name.c_str(), 0) == 0;
  }
  const auto indices = indices_of(name, item.stem);
  if (!indices) return false;
  if (item.ranges.empty()) return true;
  if (indices->size() != item.ranges.size()) return false;
  for (std::size_t d = 0; d < indices->size(); ++d) {
    if ((*indices)[d] < item.ranges[d].first || (*indices)[d] > item.ranges[d].last) return false;
  }
  return true;
}

/// UsageError where a range goes beyond the elements that there are.
void check_ranges(const Item& item, const std::vector<std::string>& names) {
  std::vector<Index> last(item.ranges.size(), 0);
  for (const std::string& name : names) {
    const auto indices = indices_of(name, item.stem);
    if (!indices || indices->size() != last.size()) continue;
    for (std::size_t d = 0; d < last.size(); ++d) last[d] = std::max(last[d], (*indices)[d]);
  }
  bool beyond = false;
  std::vector<std::string> all;
  for (std::size_t d = 0; d < last.size(); ++d) {
    beyond = beyond || (last[d] > 0 && item.ranges[d].last > last[d]);
    all.push_back(fmt::format("1:{}", last[d]));
  }
  if (!beyond) return;
  throw UsageError(fmt::format("'{}' goes beyond the elements there are, {}[{}]", item.text,
                               item.stem, fmt::join(all, ",")));
}

/// The first few.
std::string list_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 10;
  const auto last = names.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, names.size()));
  return fmt::format("{}{}", fmt::join(names.begin(), last, ", "),
                     names.size() > kShown ? fmt::format(", ... ({} in all)", names.size()) : "");
}

}  // namespace

std::vector<Index> select_names(const std::vector<std::string>& names,
                                const std::string& selection) {
  std::set<Index> chosen;
  for (const std::string& text : split(selection, ',')) {
    const Item item = parse(text);
    check_ranges(item, names);
    bool found = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!fits(names[i], item)) continue;
      chosen.insert(static_cast<Index>(i));
      found = true;
    }
    if (!found) {
      const std::string near = nearest_name(item.text, names);
      throw UsageError(fmt::format("there is no parameter '{}'{}; there are: {}", item.text,
                                   near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                                   list_of(names)));
    }
  }
  return {chosen.begin(), chosen.end()};
}

std::vector<Index> select_names(const std::vector<std::string>& names, const std::string& selection,
                                const std::string& option) {
  try {
    return select_names(names, selection);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

}  // namespace gadwall
