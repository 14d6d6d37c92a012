// The name a user probably meant: optimal string alignment distance.
#include "text/nearest_name.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

#include "gadwall/error.hpp"

namespace gadwall {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// Row i holds the distance between the first i characters of a and the first j of b; a swap of
// neighbours needs the two rows before it.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_before(b.size() + 1), before(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) now[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_before.swap(before);
    before.swap(now);
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      now[j] = std::min({before[j] + 1, now[j - 1] + 1, before[j - 1] + (same ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) now[j] = std::min(now[j], two_before[j - 2] + 1);
    }
  }
  return now[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string wanted = lower(name);
  std::string nearest;
  std::size_t least = wanted.size() + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(wanted.size(), candidate.size());
    const std::size_t shorter = std::min(wanted.size(), candidate.size());
    const std::size_t allowed = longer / 3;
    if (longer - shorter > allowed) continue;
    const std::size_t distance = edit_distance(wanted, lower(candidate));
    if (distance <= allowed && distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

void refuse_unknown(std::string_view kind, std::string_view name,
                    const std::vector<std::string>& candidates) {
  const std::string near = nearest_name(name, candidates);
  throw UsageError(fmt::format("unknown {} '{}'{}; there are: {}", kind, name,
                               near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                               fmt::join(candidates, ", ")));
}

}  // namespace gadwall
