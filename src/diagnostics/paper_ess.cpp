// Geyer's initial monotone sequence estimator on one chain.
#include <algorithm>
#include <limits>

#include "diagnostics/autocovariance.hpp"
#include "diagnostics/moments.hpp"
#include "gadwall/diagnostics.hpp"

namespace gadwall {

double ess_paper(ConstVectorRef chain) {
  const Index n = chain.size();
  if (n == 0 || !are_finite(chain) || is_constant(chain)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  MeanAutocovariance autocovariance(chain);
  const double variance = autocovariance(0);
  double sum = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (Index t = 0; t + 1 < n; t += 2) {
    const double pair = (autocovariance(t) + autocovariance(t + 1)) / variance;
    if (!(pair > 0)) break;
    smallest = std::min(smallest, pair);
    sum += smallest;
  }
  return static_cast<double>(n) / std::max(1.0, -1 + 2 * sum);
}

}  // namespace gadwall
