// Draws of a run that is as it should be, for tests that then spoil it.
#pragma once

#include <random>
#include <string>

#include "gadwall/summary.hpp"

namespace gadwall::testing {

/// A column of the statistics, to be changed.
inline auto statistic_of(Draws& draws, std::size_t chain, std::string_view name) {
  return draws.chains[chain].statistics.col(find_statistic(draws.statistics, name));
}

/// Independent, nearly normal numbers (the sum of twelve uniform ones) for every parameter and for
/// the energies.
inline Draws good_draws(Index chains = 4, Index count = 500, Index dim = 2) {
  std::mt19937_64 engine(1);
  const auto normal = [&engine] {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(engine()) / 1.8446744073709552e19;
    return sum;
  };
  Draws run;
  run.statistics = common_statistics();
  for (Index j = 0; j < dim; ++j) run.names.push_back("x." + std::to_string(j + 1));
  for (Index c = 0; c < chains; ++c) {
    const auto width = static_cast<Index>(run.statistics.size());
    run.chains.push_back({Matrix::NullaryExpr(count, dim, normal), Matrix::Zero(count, width)});
    statistic_of(run, static_cast<std::size_t>(c), "energy") = Vector::NullaryExpr(count, normal);
  }
  run.facts.target = "gaussian2d";
  run.facts.sampler = "nuts";
  run.facts.chains = chains;
  run.facts.warmup = 1000;
  run.facts.draws = count;
  run.facts.seed = 7;
  run.facts.accept_rate = 0.8;
  run.facts.seconds = {0.5, 1.5};
  run.facts.gradients = {3000, 1000};
  run.facts.draws_asked = count;
  run.facts.settings = {{"max-depth", "10"}};
  return run;
}

}  // namespace gadwall::testing
