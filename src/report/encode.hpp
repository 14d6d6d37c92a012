// Numbers and texts in the forms a page can hold safely and small.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gadwall/types.hpp"

namespace gadwall::report {

using Json = nlohmann::ordered_json;

std::string base64(std::span<const std::byte> bytes);

/// Little-endian, as every browser's typed arrays are.
template <class T>
std::string base64_of(const std::vector<T>& values) {
  return base64(std::as_bytes(std::span(values)));
}

/// Values in [low, high] as whole numbers 0 ... 65534 for drawing; 65535 stands for a value that is
/// not finite.
class Quantiser {
 public:
  Quantiser(double low, double high);
  /// The range of the finite entries; [0, 1] where there are none.
  static Quantiser range_of(const Matrix& x);

  std::uint16_t operator()(double value) const;
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double low_;
  double high_;
};

/// Text between tags or inside a quoted attribute.
std::string html_escape(std::string_view text);

/// JSON that may stand inside a <script> element: no '<', so neither "</script" nor "<!--" can
/// occur. NaN and infinities become null.
std::string json_for_script(const Json& json);

}  // namespace gadwall::report
