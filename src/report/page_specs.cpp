// The plots of the page, by the names that its scripts use.
#include "report/plots.hpp"

namespace gadwall::report {

Json page_specs() {
  return {
      {"trace", line_plot({"iteration", ""}, {.legend = true})},
      {"ranks", bar_rows({"rank of the draws, all chains together", "chain"})},
      {"density", line_plot({"value", ""}, {.zero = true, .heights = false})},
      {"autocorrelation", line_plot({"lag", ""}, {.zero = true})},
      {"ess", line_plot({"draws", "effective"}, {.legend = true, .zero = true, .points = true})},
      {"pair", scatter_plot({"x", "y"})},
      {"log_density", line_plot({"iteration", "log density"}, {.legend = true})},
      {"history", line_plot({"iteration", ""}, {})},
      {"diagonal", dot_plot({"parameter", "L(i, i)"})},
      {"eigenvalues", dot_plot({"direction", "eigenvalue"})},
      {"heat_map", heat_map(Colours::diverging)},
      {"forest", interval_plot({"", ""})},
      {"overlay", line_plot({"value", ""}, {.legend = true, .zero = true, .heights = false})},
      {"differences", dot_plot({"parameter", "standardised difference"})}};
}

}  // namespace gadwall::report
