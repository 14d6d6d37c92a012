// Gradients of densities that are templates on their scalar, by forward automatic differentiation.
//
//   auto f = [](const auto& x) { return -0.5 * x.squaredNorm() - exp(x[0]); };
//   gadwall::sample(gadwall::autodiff(f), 3);
//
// x is an Eigen vector of Dual. Eight derivatives go along at a time, so that a gradient costs
// about n / 8 evaluations of some ten times the price: for a few dozen parameters. Beyond, write
// the gradient, or take Stan.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <compare>
#include <concepts>
#include <utility>

#include "gadwall/types.hpp"

namespace gadwall {

/// A number and its derivatives with respect to eight coordinates.
struct Dual {
  static constexpr int width = 8;
  using Slope = Eigen::Array<double, width, 1, Eigen::DontAlign>;

  double value = 0;
  Slope slope = Slope::Zero();

  Dual() = default;
  Dual(double number) : value(number) {}  // NOLINT: a number is a constant
  Dual(double number, Slope derivatives) : value(number), slope(std::move(derivatives)) {}

  Dual operator-() const { return {-value, -slope}; }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend Dual operator+(const Dual& a, const Dual& b) {
    return {a.value + b.value, a.slope + b.slope};
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    return {a.value - b.value, a.slope - b.slope};
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.slope * b.value + b.slope * a.value};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double ratio = a.value / b.value;
    return {ratio, (a.slope - ratio * b.slope) / b.value};
  }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend auto operator<=>(const Dual& a, const Dual& b) { return a.value <=> b.value; }
};

/// g(a), given g and its derivative there.
inline Dual chain(const Dual& a, double value, double derivative) {
  return {value, derivative * a.slope};
}

inline Dual exp(const Dual& a) {
  const double e = std::exp(a.value);
  return chain(a, e, e);
}
inline Dual expm1(const Dual& a) {
  return chain(a, std::expm1(a.value), std::exp(a.value));
}
inline Dual log(const Dual& a) {
  return chain(a, std::log(a.value), 1 / a.value);
}
inline Dual log1p(const Dual& a) {
  return chain(a, std::log1p(a.value), 1 / (1 + a.value));
}
inline Dual sqrt(const Dual& a) {
  const double root = std::sqrt(a.value);
  return chain(a, root, 0.5 / root);
}
inline Dual sin(const Dual& a) {
  return chain(a, std::sin(a.value), std::cos(a.value));
}
inline Dual cos(const Dual& a) {
  return chain(a, std::cos(a.value), -std::sin(a.value));
}
inline Dual tanh(const Dual& a) {
  const double t = std::tanh(a.value);
  return chain(a, t, 1 - t * t);
}
inline Dual atan(const Dual& a) {
  return chain(a, std::atan(a.value), 1 / (1 + a.value * a.value));
}
inline Dual erf(const Dual& a) {
  constexpr double kTwoBySqrtPi = 1.1283791670955126;
  return chain(a, std::erf(a.value), kTwoBySqrtPi * std::exp(-a.value * a.value));
}
inline Dual abs(const Dual& a) {
  return a.value < 0 ? -a : a;
}
inline Dual pow(const Dual& a, double power) {
  return chain(a, std::pow(a.value, power), power * std::pow(a.value, power - 1));
}
inline Dual pow(const Dual& a, const Dual& b) {
  return exp(b * log(a));
}

// What Eigen asks of a scalar.
inline const Dual& conj(const Dual& a) {
  return a;
}
inline const Dual& real(const Dual& a) {
  return a;
}
inline Dual imag(const Dual&) {
  return {};
}
inline Dual abs2(const Dual& a) {
  return a * a;
}

}  // namespace gadwall

template <>
struct Eigen::NumTraits<gadwall::Dual> : Eigen::GenericNumTraits<double> {
  using Real = gadwall::Dual;
  using NonInteger = gadwall::Dual;
  using Nested = gadwall::Dual;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 9,
    AddCost = 9,
    MulCost = 27
  };
};

template <class BinaryOp>
struct Eigen::ScalarBinaryOpTraits<gadwall::Dual, double, BinaryOp> {
  using ReturnType = gadwall::Dual;
};
template <class BinaryOp>
struct Eigen::ScalarBinaryOpTraits<double, gadwall::Dual, BinaryOp> {
  using ReturnType = gadwall::Dual;
};

namespace gadwall {

using DualVector = Eigen::Matrix<Dual, Eigen::Dynamic, 1>;

/// A log density of an Eigen vector, whatever its scalar.
template <class F>
concept DensityOfAnyScalar = requires(const F& f, const DualVector& x) {
  { f(x) } -> std::convertible_to<Dual>;
};

/// The density with its gradient, as sample() and make_target() take it.
template <DensityOfAnyScalar F>
auto autodiff(F f) {
  return [f = std::move(f)](ConstVectorRef x, VectorRef grad) -> double {
    thread_local DualVector point;
    point = x.template cast<Dual>();
    double value = 0;
    for (Index begin = 0; begin < x.size(); begin += Dual::width) {
      const Index count = std::min<Index>(Dual::width, x.size() - begin);
      for (Index i = 0; i < count; ++i) point[begin + i].slope[i] = 1;
      const Dual result = f(point);
      for (Index i = 0; i < count; ++i) {
        grad[begin + i] = result.slope[i];
        point[begin + i].slope[i] = 0;
      }
      value = result.value;
    }
    return value;
  };
}

}  // namespace gadwall
