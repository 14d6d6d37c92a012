// How far a driver, taken through a bend, is from N(0, 1): sixteen points at a time.
#pragma once

#include <vector>

#include "gadwall/types.hpp"
#include "gadwall/warp.hpp"

namespace gadwall {

/// d: values of the driver; scores: d log pi / dd there, all else fixed.
class BendLoss {
 public:
  BendLoss(const Vector& d, const Vector& scores);

  /// The mean of (score in t + t)^2 with d = bend(t), where it is below `enough`; else infinity.
  double operator()(const Bend& bend, double enough);

 private:
  double count_;
  // In blocks that are filled up with points of weight 0.
  std::vector<double> d_, scores_, weights_;
  std::vector<double> t_;  // of the last bend: where the search for the next begins
};

}  // namespace gadwall
