#include "diagnostics/some_draws.hpp"

#include <algorithm>

namespace gadwall {

Vector some_draws(const Draws& draws, Index parameter) {
  constexpr Index kMostDraws = 16384;
  const auto chains = static_cast<Index>(draws.chains.size());
  const Index every = std::max<Index>(1, draws.draws() * chains / kMostDraws);
  const Index rows = (draws.draws() + every - 1) / every;
  Vector values(rows * chains);
  for (Index c = 0; c < chains; ++c) {
    const auto column = draws.chains[static_cast<std::size_t>(c)].draws.col(parameter);
    for (Index i = 0; i < rows; ++i) values[c * rows + i] = column[i * every];
  }
  return values;
}

}  // namespace gadwall
