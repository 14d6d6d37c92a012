// What counts as bad, in the verdict and wherever numbers are marked.
#pragma once

namespace gadwall {

// What Stan's users expect (Vehtari et al. 2021; Betancourt 2016 for E-BFMI).
constexpr double kMostRhat = 1.01;
constexpr double kLeastEssPerChain = 100;
constexpr double kLeastBfmi = 0.3;

}  // namespace gadwall
