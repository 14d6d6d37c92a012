#include "session/duration.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "gadwall/error.hpp"

namespace gadwall::session {
namespace {

/// 0 where there is no such unit.
double seconds_of(char unit) {
  switch (unit) {
    case 's':
      return 1;
    case 'm':
      return 60;
    case 'h':
      return 3600;
    case 'd':
      return 86400;
    default:
      return 0;
  }
}

}  // namespace

double duration(const std::string& option, const std::string& text) {
  const char* at = text.data();
  const char* const last = at + text.size();
  double total = 0;
  bool fits = at != last;
  while (fits && at != last) {
    double value = 0;
    const auto [end, error] = std::from_chars(at, last, value, std::chars_format::fixed);
    const double unit = end == last ? 1 : seconds_of(*end);
    fits = error == std::errc() && value >= 0 && unit > 0;
    total += value * unit;
    at = end == last ? last : end + 1;
  }
  if (fits && total > 0 && std::isfinite(total)) return total;
  throw UsageError(
      fmt::format("{} is '{}', expected a time, e.g. 90s, 10m, 2h, 1h30m", option, text));
}

}  // namespace gadwall::session
