// The angle h of the exact drift: one shear step (kernels/phase.hpp) from a fresh momentum is the
// Langevin proposal whose drift is exact where the target is Gaussian with covariance L L^T,
//
//   y = x + (1 - c) L L^T g + sqrt(1 - c^2) L eps,   c = cos h
//
// The nearer h to a quarter turn, the less y remembers x; the farther the target from that
// Gaussian, the fewer are accepted. So h is the largest angle, up to a limit, that is accepted
// often enough, found by dual averaging. How often that is depends on the angle: a small one is a
// step of an ordinary Langevin sampler, which is best when little more than half of its proposals
// are accepted; one near a quarter turn draws anew, and where such proposals are rejected a chain
// stays.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "adapters/dual_averaging.hpp"

namespace gadwall {

struct AngleOptions {
  double accept = 0.85;  // wanted of a quarter turn
  double most = 1.2;     // beyond it tails stick, however well the bulk accepts

  /// What is wanted of an angle: a half of the smallest, or less where a quarter turn needs less.
  double accept_at(double angle) const {
    const double least = std::min(0.5, accept);
    return least + (accept - least) * std::pow(std::sin(std::min(angle, std::numbers::pi / 2)), 4);
  }

  void describe(OptionFields& o) {
    o("angle-accept", accept,
      "exact drift: acceptance that a quarter turn needs to be chosen; smaller angles need less, "
      "down to a half",
      inside(0, 1));
    o("largest-angle", most, "exact drift: no angle is larger; a quarter turn is 1.571",
      inside(0, 3));
  }
};

class AngleSearch {
 public:
  explicit AngleSearch(const AngleOptions& options)
      : options_(options), averaging_({.target = 0}) {}

  /// From a first angle.
  void restart(double angle) { averaging_.restart(angle, 1); }
  /// The angle to use next, from the acceptance that the last one had.
  double learn(double angle, double acceptance) {
    return std::min(averaging_.learn(acceptance - options_.accept_at(angle)), options_.most);
  }
  double found() const { return std::min(averaging_.average(), options_.most); }
  void archive(Archive& a) { a("averaging", averaging_); }

 private:
  AngleOptions options_;
  DualAveraging averaging_;
};

}  // namespace gadwall
