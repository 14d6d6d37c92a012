#include "gadwall/draws.hpp"

namespace gadwall {

Matrix Draws::parameter(Index j) const {
  Matrix values(draws(), static_cast<Index>(chains.size()));
  for (Index c = 0; c < values.cols(); ++c) {
    values.col(c) = chains[static_cast<std::size_t>(c)].draws.col(j);
  }
  return values;
}

void AdaptationTrace::archive(Archive& a) {
  a("iteration", iteration);
  a("acceptance", acceptance);
  a("step", step);
  a("log determinant", log_determinant);
  a("beta", beta);
  a("objective", objective);
  log_density.resize(iteration.size());
  for (std::size_t row = 0; row < log_density.size(); ++row) {
    a(std::to_string(row).c_str(), log_density[row]);
  }
}

void RunFacts::add_costs(const RunFacts& part) {
  seconds.warmup += part.seconds.warmup;
  seconds.sampling += part.seconds.sampling;
  gradients.warmup += part.gradients.warmup;
  gradients.sampling += part.gradients.sampling;
  densities.warmup += part.densities.warmup;
  densities.sampling += part.densities.sampling;
  bad_points += part.bad_points;
  divergences += part.divergences;
}

void StageFacts::archive(Archive& a) {
  a("name", name);
  a("begin", begin);
  a("iterations", iterations);
  a("gradients", gradients);
  a("gradients before", gradients_before);
}

}  // namespace gadwall
