// A small table for a logistic regression, written in the ways that users write tables.
#pragma once

#include <fmt/format.h>
#include <zlib.h>

#include <cmath>
#include <string>

namespace gadwall::app {

struct TableStyle {
  std::string separator = ",";
  std::string header = "size,age,y";  // empty: none
  std::string classes[2] = {"0", "1"};
  double divisor = 1;  // of the features
  bool label_first = false;
};

/// 40 rows whose classes overlap.
inline std::string table(const TableStyle& style = {}) {
  std::string text;
  if (!style.header.empty()) {
    for (const char c : style.header + "\n") text += c == ',' ? style.separator : std::string(1, c);
  }
  for (int i = 0; i < 40; ++i) {
    const double size = std::sin(i) / style.divisor;
    const double age = 50 * std::cos(7 * i) / style.divisor;
    const std::string& label = style.classes[(7 * i) % 10 + 4 * std::sin(i) > 5 ? 1 : 0];
    const auto& gap = style.separator;
    text += style.label_first ? fmt::format("{}{}{}{}{}\n", label, gap, size, gap, age)
                              : fmt::format("{}{}{}{}{}\n", size, gap, age, gap, label);
  }
  return text;
}

inline void write_gzip(const std::string& path, const std::string& text) {
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
}

}  // namespace gadwall::app
