// Wichura (1988), Algorithm AS 241 (PPND16), Applied Statistics 37, 477-484.
#include "diagnostics/normal_quantile.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gadwall {
namespace {

using Coefficients = std::array<double, 8>;  // highest power first

struct RationalFunction {
  Coefficients numerator;
  Coefficients denominator;

  double operator()(double r) const { return horner(numerator, r) / horner(denominator, r); }

 private:
  static double horner(const Coefficients& c, double r) {
    double sum = 0;
    for (const double coefficient : c) sum = sum * r + coefficient;
    return sum;
  }
};

// |p - 1/2| <= 0.425, in r = 0.425^2 - (p - 1/2)^2
constexpr RationalFunction kCentre{
    {2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
     13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608},
    {5226.495278852545925, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
     5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1.0}};

// sqrt(-log tail) <= 5, in r = sqrt(-log tail) - 1.6
constexpr RationalFunction kShoulder{
    {7.7454501427834140764e-4, .0227238449892691845833, .24178072517745061177,
     1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959,
     1.42343711074968357734},
    {1.05075007164441684324e-9, 5.475938084995344946e-4, .0151986665636164571966,
     .14810397642748007459, .68976733498510000455, 1.6763848301838038494, 2.05319162663775882187,
     1.0}};

// beyond, in r = sqrt(-log tail) - 5
constexpr RationalFunction kFarTail{
    {2.01033439929228813265e-7, 2.71155556874348757815e-5, .0012426609473880784386,
     .026532189526576123093, .29656057182850489123, 1.7848265399172913358, 5.4637849111641143699,
     6.6579046435011037772},
    {2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5,
     7.868691311456132591e-4, .0148753612908506148525, .13692988092273580531, .59983220655588793769,
     1.0}};

}  // namespace

double normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
  const double from_half = p - 0.5;
  if (p == 0 || p == 1) return std::copysign(std::numeric_limits<double>::infinity(), from_half);
  if (std::abs(from_half) <= 0.425) {
    return from_half * kCentre(0.180625 - from_half * from_half);
  }
  const double r = std::sqrt(-std::log(std::min(p, 1 - p)));
  return std::copysign(r <= 5 ? kShoulder(r - 1.6) : kFarTail(r - 5), from_half);
}

}  // namespace gadwall
