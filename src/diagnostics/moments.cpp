// Two-pass moments.
#include "diagnostics/moments.hpp"

#include <cmath>
#include <limits>

namespace gadwall {

double mean_of(ConstVectorRef values) {
  const auto size = static_cast<double>(values.size());
  const double rough = values.sum() / size;
  if (!std::isfinite(rough)) return rough;
  return rough + (values.array() - rough).sum() / size;
}

double variance_of(ConstVectorRef values) {
  if (values.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  return (values.array() - mean_of(values)).square().sum() / static_cast<double>(values.size() - 1);
}

bool are_finite(ConstVectorRef values) {
  return (values.array() * 0.0).sum() == 0;
}

bool is_constant(const Matrix& x) {
  return x.maxCoeff() - x.minCoeff() < std::numeric_limits<double>::epsilon();
}

}  // namespace gadwall
