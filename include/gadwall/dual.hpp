// Forward mode: a number that takes eight of its derivatives along.
#pragma once

#include <Eigen/Core>
#include <compare>
#include <utility>

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

inline double value_of(const Dual& a) {
  return a.value;
}

}  // namespace gadwall
