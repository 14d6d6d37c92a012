// What counts as bad, in the verdict and wherever numbers are marked.
#pragma once

namespace gadwall {

// What Stan's users expect (Vehtari et al. 2021; Betancourt 2016 for E-BFMI).
constexpr double kMostRhat = 1.01;
constexpr double kLeastEssPerChain = 100;
constexpr double kEnoughEss = 1000;  // of all chains, where there are more than ten
constexpr double kLeastBfmi = 0.3;

/// That worst ESS should have at least.
constexpr double least_worst_ess(double chains) {
  const double each = kLeastEssPerChain * chains;
  return each < kEnoughEss ? each : kEnoughEss;
}

}  // namespace gadwall
