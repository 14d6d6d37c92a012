// The table of the statistics that every draw has.
#include "gadwall/statistics.hpp"

namespace gadwall {

const std::vector<Statistic>& common_statistics() {
  using Kind = Statistic::Kind;
  static const std::vector<Statistic> table = {
      {"log_density", Kind::real, "lp__", "lp"},
      {"accept", Kind::real, "accept_stat__", "acceptance_rate"},
      {"step", Kind::real, "stepsize__", "step_size"},
      {"tree_depth", Kind::count, "treedepth__", "tree_depth"},
      {"leapfrogs", Kind::count, "n_leapfrog__", "n_steps"},
      {"divergent", Kind::flag, "divergent__", "diverging"},
      {"energy", Kind::real, "energy__", "energy"},
  };
  return table;
}

Index find_statistic(const std::vector<Statistic>& statistics, std::string_view name) {
  for (std::size_t j = 0; j < statistics.size(); ++j) {
    if (statistics[j].name == name) return static_cast<Index>(j);
  }
  return -1;
}

}  // namespace gadwall
