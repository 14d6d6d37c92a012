// Means of pieces of the chains as block characters.
#include "text/spark_line.hpp"

#include <algorithm>
#include <cmath>

namespace gadwall {

std::string spark_line(const Matrix& x) {
  constexpr Index kPieces = 16;
  constexpr const char* blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇"};  // odd: there is a middle
  if (x.size() == 0) return "";
  const Index pieces = std::min(std::max<Index>(1, kPieces / x.cols()), x.rows());
  const double mean = x.mean();
  const double sd = std::sqrt((x.array() - mean).square().mean());
  std::string line;
  for (Index c = 0; c < x.cols(); ++c) {
    for (Index p = 0; p < pieces; ++p) {
      const Index from = x.rows() * p / pieces;
      const Index size = x.rows() * (p + 1) / pieces - from;
      const double height = (x.col(c).segment(from, size).mean() - mean) / sd;
      line += std::isfinite(height) ? blocks[std::lround(3 + 3 * std::clamp(2 * height, -1.0, 1.0))]
                                    : "·";
    }
  }
  return line;
}

}  // namespace gadwall
