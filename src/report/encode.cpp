// Base64, quantised numbers, escaping.
#include "report/encode.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "text/utf8.hpp"

namespace gadwall::report {

static_assert(std::endian::native == std::endian::little);

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t size = bytes.size();
  std::string text;
  text.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const auto byte = [&](std::size_t k) {
      return i + k < size ? std::to_integer<unsigned>(bytes[i + k]) : 0U;
    };
    const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
    text += digits[group >> 18];
    text += digits[group >> 12 & 63];
    text += i + 1 < size ? digits[group >> 6 & 63] : '=';
    text += i + 2 < size ? digits[group & 63] : '=';
  }
  return text;
}

Quantiser::Quantiser(double low, double high) : low_(low), high_(high) {}

Quantiser Quantiser::range_of(const Matrix& x) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double low = infinity;
  double high = -infinity;
  for (const double value : x.reshaped()) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return low > high ? Quantiser(0, 1) : Quantiser(low, high);
}

std::uint16_t Quantiser::operator()(double value) const {
  constexpr double top = 65534;
  if (!std::isfinite(value)) return 65535;
  // Halved, because the width of a range of finite numbers may overflow.
  const double width = high_ / 2 - low_ / 2;
  const double share = width > 0 ? (value / 2 - low_ / 2) / width : 0.5;
  return static_cast<std::uint16_t>(std::lround(std::clamp(share, 0.0, 1.0) * top));
}

std::string html_escape(std::string_view text) {
  std::string safe;
  for (const char c : as_utf8(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string json_for_script(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {  // outside strings JSON has no '<'
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace gadwall::report
