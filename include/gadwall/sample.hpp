// Sampling from a C++ program: a density in, matrices and a summary out.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gadwall/draws.hpp"
#include "gadwall/options.hpp"
#include "gadwall/run.hpp"
#include "gadwall/summary.hpp"
#include "gadwall/target.hpp"

namespace gadwall {

/// Keeps the draws in memory.
class MemorySink final : public Sink {
 public:
  explicit MemorySink(const RunPlan& plan);
  void begin_sampling(Index, const Tuning&) override {}
  void write(Index chain, const DrawStatistics& statistics, ConstVectorRef values) override;
  Draws so_far() override;

 private:
  PlannedFacts facts_;
  std::vector<std::string> names_;
  std::vector<Statistic> columns_;               // of the statistics
  std::vector<std::vector<double>> values_;      // by chain, one draw after the other
  std::vector<std::vector<double>> statistics_;  // by chain, likewise
};

struct SampleResult {
  Draws draws;                        // draws.chains[c].draws is N x n
  Summary summary;                    // empty where there are no draws
  std::vector<std::string> warnings;  // one line each: a gradient that is wrong

  /// What a batch learnt: step and L.
  const Tuning& tuning(std::size_t batch = 0) const { return draws.learnt.at(batch).tuning; }
};

struct SampleOptions {
  std::string sampler = "auto";  // a name from samplers()
  Settings settings = {};        // of the sampler, where they differ from defaults(sampler)
  RunOptions run = {};
  std::string name = {};           // what summary and report call it
  bool progress = false;           // a line on stderr, redrawn while it goes
  bool stop_on_interrupt = false;  // Ctrl-C ends the run, with the draws so far; a second one ends
                                   // the program as ever
  bool check_gradient = true;      // before the run, at one point, up to 500 coordinates
};

/// UsageError for options that do not fit, RunError where no start has a finite density.
SampleResult sample(std::shared_ptr<const Target> target, const SampleOptions& options = {});

/// With a sampler that is not in the catalogue; options.sampler is ignored.
SampleResult sample(std::shared_ptr<const Target> target, const SamplerRow& sampler,
                    const SampleOptions& options = {});

/// sample([](auto x, auto grad) { grad = -x; return -0.5 * x.squaredNorm(); }, 3)
template <class F>
requires DensityOfVectors<F> || DensityOfSpans<F> SampleResult
sample(F density, Index dim, const SampleOptions& options = {}) {
  return sample(make_target(std::move(density), dim), options);
}

/// Anything else: one readable line.
template <class F>
requires(!DensityOfVectors<F> && !DensityOfSpans<F>) SampleResult
    sample(F, Index, const SampleOptions& = {}) {
  static_assert(
      DensityOfVectors<F>,
      "gadwall: a density is called as f(x, grad), fills grad and returns the log density; "
      "without a gradient: gadwall::autodiff(f) (gadwall/autodiff.hpp)");
  return {};
}

}  // namespace gadwall
