// A sampler of two learning stages, as one row: a random walk, which needs no gradient, comes from
// wherever the chains start to the bulk; then mala learns its step there and draws. The stages are
// those of two samplers of the catalogue; kernels of your own would do as well.
//
// Without arguments it checks itself; with arguments it is the gadwall program with one more
// sampler:
//
//   example_two_stage_sampler sample neal100 --sampler bulk-mala --bulk 2000
#include <algorithm>
#include <cmath>
#include <gadwall/gadwall.hpp>
#include <gadwall/program.hpp>
#include <iostream>

using namespace gadwall;

struct BulkOptions {
  Index bulk = 1000;

  void describe(OptionFields& o) {
    o("bulk", bulk, "first iterations of warm-up, by a random walk", between(0, 1e9));
  }
};

std::vector<Stage> bulk_then_mala(const BulkOptions& options, Circumstances c) {
  const Index first = std::min(options.bulk, c.warmup / 2);
  Stage bulk = find_sampler("rwm").stages({}, c).front();
  bulk.name = "bulk";
  bulk.most = first;

  c.warmup -= first;
  std::vector<Stage> stages = find_sampler("mala").stages({}, c);
  // In n dimensions the best steps of the two differ by a factor of about n^(1/3).
  stages.front().hand_over = [n = c.dim](std::span<const Tuning* const> found) {
    Tuning tuning = *found.front();
    tuning.step *= std::cbrt(static_cast<double>(n));
    return tuning;
  };
  stages.insert(stages.begin(), bulk);
  return stages;
}

int main(int argc, char** argv) {
  add_sampler(make_sampler({.name = "bulk-mala",
                            .summary = "mala, after a random walk has found the bulk",
                            .warmup = 6000,
                            .draws = 20000},
                           BulkOptions{}, bulk_then_mala));
  if (argc > 1) return run_program(argc, argv);

  SampleOptions options;
  options.sampler = "bulk-mala";
  options.run.start = normal_start(10);
  options.run.threads = 2;
  const SampleResult result = sample(
      [](auto x, auto grad) {
        grad = -(x.array() - 5).matrix();
        return -0.5 * grad.squaredNorm();
      },
      3, options);
  std::cout << to_text(result.summary);
  for (const StageFacts& stage : result.draws.facts.stages) {
    std::cout << stage.name << ": " << stage.iterations << " iterations\n";
  }

  bool right = result.draws.facts.stages.size() == 3;
  for (const ParameterSummary& parameter : result.summary.parameters) {
    const ParameterDiagnostics& values = parameter.values;
    right = right && std::abs(values.mean - 5) < 4 * values.mcse_mean &&
            std::abs(values.sd - 1) < 4 * values.mcse_sd;
  }
  return right ? 0 : 1;
}
