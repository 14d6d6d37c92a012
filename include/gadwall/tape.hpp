// Reverse mode: operations are written on a tape, and one way back along it gives all derivatives.
#pragma once

#include <compare>
#include <cstddef>
#include <vector>

#include "gadwall/types.hpp"

namespace gadwall {

/// An operation with up to two operands, as the derivatives by them.
struct TapeStep {
  std::ptrdiff_t left, right;  // steps before this one; -1: none
  double by_left, by_right;
};

/// Of one thread.
inline std::vector<TapeStep>& tape() {
  thread_local std::vector<TapeStep> steps;
  return steps;
}

/// A number that some step of the tape made, or a constant.
class Taped {
 public:
  Taped() = default;
  Taped(double number) : value_(number) {}  // NOLINT: a number is a constant

  /// One to differentiate by: a step without operands.
  static Taped variable(double number) { return {number, {-1, -1, 0, 0}}; }

  double value() const { return value_; }
  std::ptrdiff_t step() const { return step_; }  // -1: a constant

  Taped operator-() const { return apply(*this, -value_, -1); }
  Taped& operator+=(const Taped& b) { return *this = *this + b; }
  Taped& operator-=(const Taped& b) { return *this = *this - b; }
  Taped& operator*=(const Taped& b) { return *this = *this * b; }
  Taped& operator/=(const Taped& b) { return *this = *this / b; }

  friend Taped operator+(const Taped& a, const Taped& b) {
    return apply(a, b, a.value_ + b.value_, 1, 1);
  }
  friend Taped operator-(const Taped& a, const Taped& b) {
    return apply(a, b, a.value_ - b.value_, 1, -1);
  }
  friend Taped operator*(const Taped& a, const Taped& b) {
    return apply(a, b, a.value_ * b.value_, b.value_, a.value_);
  }
  friend Taped operator/(const Taped& a, const Taped& b) {
    const double ratio = a.value_ / b.value_;
    return apply(a, b, ratio, 1 / b.value_, -ratio / b.value_);
  }
  friend bool operator==(const Taped& a, const Taped& b) { return a.value_ == b.value_; }
  friend auto operator<=>(const Taped& a, const Taped& b) { return a.value_ <=> b.value_; }

  /// g(a), given g and its derivative there.
  friend Taped chain(const Taped& a, double value, double derivative) {
    return apply(a, value, derivative);
  }

 private:
  Taped(double number, TapeStep step)
      : value_(number), step_(static_cast<std::ptrdiff_t>(tape().size())) {
    tape().push_back(step);
  }

  static Taped apply(const Taped& a, double value, double derivative) {
    if (a.step_ < 0) return value;
    return {value, {a.step_, -1, derivative, 0}};
  }
  static Taped apply(const Taped& a, const Taped& b, double value, double by_a, double by_b) {
    if (a.step_ < 0 && b.step_ < 0) return value;
    return {value, {a.step_, b.step_, by_a, by_b}};
  }

  double value_ = 0;
  std::ptrdiff_t step_ = -1;
};

inline double value_of(const Taped& a) {
  return a.value();
}

/// The derivatives of `result` by the first n steps of the tape. A step whose derivative is 0 is
/// passed over: what it was made of may be infinite.
inline void go_back(const Taped& result, Index n, VectorRef gradient) {
  thread_local std::vector<double> slopes;
  slopes.assign(tape().size(), 0);
  if (result.step() >= 0) slopes[static_cast<std::size_t>(result.step())] = 1;
  for (auto i = result.step(); i >= 0; --i) {
    const TapeStep& step = tape()[static_cast<std::size_t>(i)];
    const double slope = slopes[static_cast<std::size_t>(i)];
    if (slope == 0) continue;
    if (step.left >= 0) slopes[static_cast<std::size_t>(step.left)] += slope * step.by_left;
    if (step.right >= 0) slopes[static_cast<std::size_t>(step.right)] += slope * step.by_right;
  }
  for (Index i = 0; i < n; ++i) gradient[i] = slopes[static_cast<std::size_t>(i)];
}

}  // namespace gadwall
