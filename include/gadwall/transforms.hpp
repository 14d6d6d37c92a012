// Parameters with limits: a density of constrained values becomes a target on R^n, with Jacobians.
//
//   auto target = gadwall::make_target(
//       {gadwall::unbounded("mu"), gadwall::positive("tau"), gadwall::simplex("p", 3)},
//       [](auto v, auto grad) { ... });   // v: mu, tau, p_1, p_2, p_3; grad: with respect to them
//
// The draws that are kept are the constrained values, named mu, tau, p.1, p.2, p.3.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gadwall/target.hpp"

namespace gadwall {

/// A map from coordinates x in R^m to values v.
class Transform {
 public:
  virtual ~Transform() = default;

  virtual Index coordinates() const = 0;
  virtual Index values() const = 0;

  /// Fills v; log |dv/dx|.
  virtual double apply(ConstVectorRef x, VectorRef v) const = 0;

  /// grad = (dv/dx)^T slope + d log |dv/dx| / dx.
  virtual void pull_back(ConstVectorRef x, ConstVectorRef v, ConstVectorRef slope,
                         VectorRef grad) const = 0;

  /// x from v; UsageError where v is outside the limits.
  virtual void invert(ConstVectorRef v, VectorRef x) const = 0;
};

struct Parameter {
  std::string name;
  std::shared_ptr<const Transform> transform;
  bool is_scalar = false;  // its name has no number
};

/// size 0: one number. UsageError for a negative size.
Parameter unbounded(std::string name, Index size = 0);
Parameter positive(std::string name, Index size = 0);
/// In (lower, upper), both finite.
Parameter bounded(std::string name, double lower, double upper, Index size = 0);
/// v_1 < v_2 < ...
Parameter ordered(std::string name, Index size);
/// Positive numbers whose sum is 1; one coordinate fewer than values.
Parameter simplex(std::string name, Index size);

/// density(v, grad): the log density of the values, which also fills its gradient.
using ConstrainedDensity = std::function<double(ConstVectorRef v, VectorRef grad)>;

std::shared_ptr<const Target> make_target(std::vector<Parameter> parameters,
                                          ConstrainedDensity density);

}  // namespace gadwall
