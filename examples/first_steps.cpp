// The shortest way from a formula to draws you can trust: a lambda with the log density and its
// gradient, one call, a table and a verdict.
#include <gadwall/gadwall.hpp>
#include <iostream>

int main() {
  // Two parameters with correlation 0.95. grad receives the gradient, the return value is the log
  // density; constants do not matter.
  const auto density = [](auto x, auto grad) {
    const double rho = 0.95;
    const double scale = 1 / (1 - rho * rho);
    grad[0] = -scale * (x[0] - rho * x[1]);
    grad[1] = -scale * (x[1] - rho * x[0]);
    return -0.5 * scale * (x[0] * x[0] - 2 * rho * x[0] * x[1] + x[1] * x[1]);
  };

  const gadwall::SampleResult result = gadwall::sample(density, 2);

  std::cout << gadwall::to_text(result.summary) << '\n';

  // The draws themselves: one matrix a chain, one column a parameter.
  const gadwall::Matrix& draws = result.draws.chains[0].draws;
  std::cout << "chain 1 has " << draws.rows() << " draws; its last one is " << draws.bottomRows(1)
            << '\n';

  // What the sampler learnt: a proposal whose shape is that of the target.
  const gadwall::Matrix learnt = result.tuning().factor().covariance();
  std::cout << "correlation of the learnt proposal: "
            << learnt(0, 1) / std::sqrt(learnt(0, 0) * learnt(1, 1)) << '\n';

  const gadwall::Verdict verdict = gadwall::judge(result.draws, result.summary);
  std::cout << gadwall::to_text(verdict, result.summary);
  return verdict.sound() ? 0 : 1;
}
