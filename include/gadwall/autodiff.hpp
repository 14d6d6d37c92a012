// Gradients of densities that are templates on their scalar, by automatic differentiation.
//
//   auto f = [](const auto& x) { return -0.5 * x.squaredNorm() - exp(x[0]); };
//   gadwall::sample(gadwall::autodiff(f), 3);
//
// x is an Eigen vector, of Dual for a few parameters (forward mode) and of Taped for more (reverse
// mode, whose price does not grow with their number): a gradient then costs some ten evaluations.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <concepts>
#include <utility>

#include "gadwall/dual.hpp"
#include "gadwall/tape.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

/// A number that is differentiated: chain(a, g(a), g'(a)) is g(a).
template <class T>
concept Differentiated = std::same_as<T, Dual> || std::same_as<T, Taped>;

template <Differentiated T>
T exp(const T& a) {
  const double e = std::exp(value_of(a));
  return chain(a, e, e);
}
template <Differentiated T>
T expm1(const T& a) {
  return chain(a, std::expm1(value_of(a)), std::exp(value_of(a)));
}
template <Differentiated T>
T log(const T& a) {
  return chain(a, std::log(value_of(a)), 1 / value_of(a));
}
template <Differentiated T>
T log1p(const T& a) {
  return chain(a, std::log1p(value_of(a)), 1 / (1 + value_of(a)));
}
template <Differentiated T>
T sqrt(const T& a) {
  const double root = std::sqrt(value_of(a));
  return chain(a, root, 0.5 / root);
}
template <Differentiated T>
T sin(const T& a) {
  return chain(a, std::sin(value_of(a)), std::cos(value_of(a)));
}
template <Differentiated T>
T cos(const T& a) {
  return chain(a, std::cos(value_of(a)), -std::sin(value_of(a)));
}
template <Differentiated T>
T tanh(const T& a) {
  const double t = std::tanh(value_of(a));
  return chain(a, t, 1 - t * t);
}
template <Differentiated T>
T atan(const T& a) {
  return chain(a, std::atan(value_of(a)), 1 / (1 + value_of(a) * value_of(a)));
}
template <Differentiated T>
T erf(const T& a) {
  constexpr double kTwoBySqrtPi = 1.1283791670955126;
  return chain(a, std::erf(value_of(a)), kTwoBySqrtPi * std::exp(-value_of(a) * value_of(a)));
}
template <Differentiated T>
T abs(const T& a) {
  return value_of(a) < 0 ? -a : a;
}
template <Differentiated T>
T pow(const T& a, double power) {
  return chain(a, std::pow(value_of(a), power), power * std::pow(value_of(a), power - 1));
}
template <Differentiated T>
T pow(double a, const T& power) {
  const double result = std::pow(a, value_of(power));
  return chain(power, result, result * std::log(a));
}
template <Differentiated T>
T pow(const T& a, const T& power) {
  return exp(power * log(a));
}

// What Eigen asks of a scalar.
template <Differentiated T>
const T& conj(const T& a) {
  return a;
}
template <Differentiated T>
const T& real(const T& a) {
  return a;
}
template <Differentiated T>
T imag(const T&) {
  return {};
}
template <Differentiated T>
T abs2(const T& a) {
  return a * a;
}

/// For Eigen::NumTraits; cost: of an addition.
template <Differentiated T, int cost>
struct DifferentiatedTraits : Eigen::GenericNumTraits<double> {
  using Real = T;
  using NonInteger = T;
  using Nested = T;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = cost,
    AddCost = cost,
    MulCost = 3 * cost
  };
};

}  // namespace gadwall

template <>
struct Eigen::NumTraits<gadwall::Dual> : gadwall::DifferentiatedTraits<gadwall::Dual, 9> {};
template <>
struct Eigen::NumTraits<gadwall::Taped> : gadwall::DifferentiatedTraits<gadwall::Taped, 9> {};

template <gadwall::Differentiated T, class BinaryOp>
struct Eigen::ScalarBinaryOpTraits<T, double, BinaryOp> {
  using ReturnType = T;
};
template <gadwall::Differentiated T, class BinaryOp>
struct Eigen::ScalarBinaryOpTraits<double, T, BinaryOp> {
  using ReturnType = T;
};

namespace gadwall {

template <class T>
using VectorOf = Eigen::Matrix<T, Eigen::Dynamic, 1>;

/// A log density of an Eigen vector, whatever its scalar.
template <class F>
concept DensityOfAnyScalar = requires(const F& f, const VectorOf<Dual>& x,
                                      const VectorOf<Taped>& y) {
  { f(x) } -> std::convertible_to<Dual>;
  { f(y) } -> std::convertible_to<Taped>;
};

/// The log density at x and its gradient by forward mode, eight coordinates at a time.
template <DensityOfAnyScalar F>
double differentiate_forward(const F& f, ConstVectorRef x, VectorRef grad) {
  thread_local VectorOf<Dual> point;
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
}

/// The same by reverse mode.
template <DensityOfAnyScalar F>
double differentiate_reverse(const F& f, ConstVectorRef x, VectorRef grad) {
  tape().clear();
  thread_local VectorOf<Taped> point;
  point.resize(x.size());
  for (Index i = 0; i < x.size(); ++i) point[i] = Taped::variable(x[i]);
  const Taped result = f(point);
  go_back(result, x.size(), grad);
  return result.value();
}

/// The density with its gradient, as sample() and make_target() take it.
template <DensityOfAnyScalar F>
auto autodiff(F f) {
  return [f = std::move(f)](ConstVectorRef x, VectorRef grad) -> double {
    constexpr Index most = 3 * Dual::width;  // beyond, the tape is cheaper, as measured
    return x.size() <= most ? differentiate_forward(f, x, grad) : differentiate_reverse(f, x, grad);
  };
}

/// Anything else: one readable line.
template <class F>
requires(!DensityOfAnyScalar<F>) auto autodiff(F) {
  static_assert(DensityOfAnyScalar<F>,
                "gadwall: autodiff(f) wants f(x) for a vector x of any scalar, as "
                "[](const auto& x) { return -0.5 * x.squaredNorm(); }, that returns that scalar");
  return [](ConstVectorRef, VectorRef) { return 0.0; };
}

}  // namespace gadwall
