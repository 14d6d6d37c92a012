// Memory that lives on between calls and only ever grows.
#pragma once

#include <algorithm>

#include "gadwall/types.hpp"

namespace gadwall {

inline double* scratch(Vector& memory, Index size) {
  if (memory.size() < size) memory.resize(size);
  return memory.data();
}

inline double* zeros(Vector& memory, Index size) {
  double* start = scratch(memory, size);
  std::fill_n(start, size, 0.0);
  return start;
}

}  // namespace gadwall
