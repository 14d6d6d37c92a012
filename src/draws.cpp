#include "gadwall/draws.hpp"

namespace gadwall {

Matrix Draws::parameter(Index j) const {
  Matrix values(draws(), static_cast<Index>(chains.size()));
  for (Index c = 0; c < values.cols(); ++c) {
    values.col(c) = chains[static_cast<std::size_t>(c)].draws.col(j);
  }
  return values;
}

}  // namespace gadwall
