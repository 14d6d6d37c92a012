// Numbers for people.
#include "text/number_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <compare>

namespace gadwall {

std::string grouped(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string result;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) result += ',';
    result += digits[i];
  }
  return result;
}

std::string count_text(double value) {
  constexpr double kMostGrouped = 1e15;  // above, the digits are no longer those of the number
  if (std::isnan(value)) return "-";
  if (std::abs(value) >= kMostGrouped) return fmt::format("{:.3g}", value);
  const double whole = std::round(value);
  const std::string digits = grouped(static_cast<std::uint64_t>(std::abs(whole)));
  return fmt::format("{}{}", whole < 0 ? "-" : "", digits);
}

std::string rate_text(double value) {
  if (!std::isfinite(value)) return "-";
  if (std::abs(value) < 999.5) return fmt::format("{:.3g}", value);
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 2);
  return count_text(std::round(value / unit) * unit);
}

std::string ratio_text(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.3f}", value);
}

std::string text_beside(double value, double limit, int decimals) {
  constexpr int kMostDecimals = 17;
  if (std::isnan(value)) return "-";
  for (;; ++decimals) {
    const std::string text = fmt::format("{:.{}f}", value, decimals);
    double shown = 0;  // strtod would read it by the process's locale
    std::from_chars(text.data(), text.data() + text.size(), shown);
    if ((shown <=> limit) == (value <=> limit) || decimals == kMostDecimals) return text;
  }
}

std::string counted(std::uint64_t count, const std::string& one) {
  return fmt::format("{} {}{}", grouped(count), one, count == 1 ? "" : "s");
}

}  // namespace gadwall
