// Counts what the columns of a run say of it.
#include "files/column_facts.hpp"

#include <cmath>

namespace gadwall::files {

void add_column_facts(Draws& draws) {
  constexpr Index accept_column = 1;
  constexpr Index divergent_column = 5;
  draws.facts.divergences = 0;
  double accepted = 0;
  Index counted = 0;
  for (const Chain& chain : draws.chains) {
    for (const double accept : chain.statistics.col(accept_column)) {
      if (!std::isfinite(accept)) continue;
      accepted += accept;
      ++counted;
    }
    for (const double divergent : chain.statistics.col(divergent_column)) {
      draws.facts.divergences += divergent > 0 ? 1 : 0;
    }
  }
  draws.facts.accept_rate = counted > 0 ? accepted / static_cast<double>(counted) : 0;
  draws.facts.chains = static_cast<Index>(draws.chains.size());
  draws.facts.draws = draws.draws();
}

}  // namespace gadwall::files
