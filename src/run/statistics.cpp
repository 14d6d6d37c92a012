// The table of the statistics that every draw has.
#include "gadwall/statistics.hpp"

#include <fmt/format.h>

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

std::vector<Statistic> score_statistics(Index n) {
  std::vector<Statistic> scores;
  for (Index i = 1; i <= n; ++i) scores.push_back({fmt::format("score.{}", i)});
  return scores;
}

std::vector<Index> score_columns(const std::vector<Statistic>& statistics) {
  std::vector<Index> columns;
  for (std::size_t j = 0; j < statistics.size(); ++j) {
    if (statistics[j].name == fmt::format("score.{}", columns.size() + 1)) {
      columns.push_back(static_cast<Index>(j));
    }
  }
  return columns;
}

Index find_statistic(const std::vector<Statistic>& statistics, std::string_view name) {
  for (std::size_t j = 0; j < statistics.size(); ++j) {
    if (statistics[j].name == name) return static_cast<Index>(j);
  }
  return -1;
}

}  // namespace gadwall
