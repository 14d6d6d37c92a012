// Numbers in words.
#include "session/numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "gadwall/error.hpp"

namespace gadwall::session {
namespace {

/// The number that the whole text is, if it is one and fits.
template <class T>
std::optional<T> parse(const std::string& text) {
  const char* const last = text.data() + text.size();
  T value{};
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_whole(const std::string& text) {
  if (const auto plain = parse<std::uint64_t>(text)) return plain;
  const auto value = parse<double>(text);
  constexpr double exact = 9007199254740992;  // 2^53: up to here every whole number is a double
  if (!value || !(*value >= 0 && *value <= exact) || *value != std::floor(*value)) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(*value);
}

[[noreturn]] void refuse(const std::string& option, const std::string& text,
                         const std::string& wanted) {
  throw UsageError(fmt::format("{} is '{}', expected {}", option, text, wanted));
}

}  // namespace

std::uint64_t whole_number(const std::string& option, const std::string& text, WholeRange range) {
  const auto value = parse_whole(text);
  if (value && *value >= range.least && *value <= range.most) return *value;
  refuse(option, text, fmt::format("a whole number from {} to {}", range.least, range.most));
}

double real_number(const std::string& option, const std::string& text) {
  const auto value = parse<double>(text);
  if (!value || !std::isfinite(*value)) refuse(option, text, "a finite number");
  return *value;
}

double number_from_zero(const std::string& option, const std::string& text) {
  const auto value = parse<double>(text);
  if (!value || !std::isfinite(*value) || *value < 0) {
    refuse(option, text, "a finite number, 0 or more");
  }
  return *value;
}

double positive_number(const std::string& option, const std::string& text) {
  const auto value = parse<double>(text);
  if (!value || !std::isfinite(*value) || *value <= 0) {
    refuse(option, text, "a finite number above 0");
  }
  return *value;
}

}  // namespace gadwall::session
