// The inverse of the standard normal distribution function.
#pragma once

namespace gadwall {

/// Phi^-1(p), relative error about 1e-16. -inf at 0, +inf at 1, NaN outside [0, 1].
double normal_quantile(double p);

}  // namespace gadwall
