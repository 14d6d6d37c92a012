// Counts what the columns of a run say of it.
#include "files/column_facts.hpp"

#include <cmath>
#include <limits>

namespace gadwall::files {

void add_column_facts(Draws& draws) {
  draws.facts.divergences = 0;
  double accepted = 0;
  Index counted = 0;
  for (std::size_t c = 0; c < draws.chains.size(); ++c) {
    for (const double accept : draws.statistic(c, "accept")) {
      if (!std::isfinite(accept)) continue;
      accepted += accept;
      ++counted;
    }
    for (const double divergent : draws.statistic(c, "divergent")) {
      draws.facts.divergences += divergent > 0 ? 1 : 0;
    }
  }
  draws.facts.accept_rate = counted > 0 ? accepted / static_cast<double>(counted)
                                        : std::numeric_limits<double>::quiet_NaN();
  draws.facts.chains = static_cast<Index>(draws.chains.size());
  draws.facts.draws = draws.draws();
}

}  // namespace gadwall::files
