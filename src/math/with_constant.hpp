// A small number known at run time, as a compile-time constant.
#pragma once

#include <type_traits>

namespace gadwall {

/// Calls f(std::integral_constant<int, value>{}) for a value of 1 ... largest; else does nothing.
template <int largest, class F>
void with_constant(int value, const F& f) {
  if constexpr (largest > 0) {
    if (value == largest) {
      f(std::integral_constant<int, largest>{});
    } else {
      with_constant<largest - 1>(value, f);
    }
  }
}

}  // namespace gadwall
