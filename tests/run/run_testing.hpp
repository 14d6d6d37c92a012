// Short runs for tests: targets that count or fail, a sink that remembers, one call that runs.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gadwall/run.hpp"
#include "gadwall/sample.hpp"

namespace gadwall::testing {

/// N(0, I) that counts the points it is asked for.
class CountingNormal final : public Target {
 public:
  CountingNormal(Index dim, bool has_hessian) : dim_(dim), has_hessian_(has_hessian) {}

  Index dim() const override { return dim_; }

  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override {
    const auto points = static_cast<std::uint64_t>(x.cols());
    (grad.size() > 0 ? gradients : densities) += points;
    logp = -x.colwise().squaredNorm().transpose() / 2;
    if (grad.size() > 0) grad = -x;
  }

  bool hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) const override {
    if (!has_hessian_) return false;
    products += static_cast<std::uint64_t>(x.cols());
    out = -v;
    return true;
  }

  mutable std::atomic<std::uint64_t> gradients{0}, densities{0}, products{0};

 private:
  Index dim_;
  bool has_hessian_;
};

/// A correlated Gaussian in `dim` dimensions with a callable's point-by-point evaluation:
/// x_i | x_{i-1} ~ N(0.6 x_{i-1}, 1).
inline std::shared_ptr<const Target> autoregression(Index dim) {
  return make_target(
      [](ConstVectorRef x, VectorRef grad) {
        double logp = 0;
        grad.setZero();
        for (Index i = 0; i < x.size(); ++i) {
          const double e = x[i] - (i > 0 ? 0.6 * x[i - 1] : 0.0);
          logp -= e * e / 2;
          grad[i] -= e;
          if (i > 0) grad[i - 1] += 0.6 * e;
        }
        return logp;
      },
      dim);
}

/// What came, in order, by chain.
class RecordingSink final : public Sink {
 public:
  explicit RecordingSink(Index chains) : chain(static_cast<std::size_t>(chains)) {}

  struct Record {
    int begins = 0;
    bool began_first = true;
    double step = 0;  // as told at the beginning
    std::vector<Vector> draws;
    std::vector<Vector> statistics;  // in the order of RunPlan::statistics
  };

  void begin_sampling(Index c, const Tuning& tuning) override {
    Record& record = chain[static_cast<std::size_t>(c)];
    ++record.begins;
    record.step = tuning.step;
  }

  void write(Index c, const DrawStatistics& statistics, ConstVectorRef x) override {
    Record& record = chain[static_cast<std::size_t>(c)];
    if (record.begins == 0) record.began_first = false;
    record.draws.emplace_back(x);
    record.statistics.emplace_back(statistics);
  }

  std::vector<Record> chain;
};

/// One of the common statistics of a draw.
inline double statistic(const Vector& of_draw, std::string_view name) {
  return of_draw[find_statistic(common_statistics(), name)];
}

inline RunOptions short_run(Index chains, Index warmup, Index draws) {
  RunOptions run;
  run.chains = chains;
  run.warmup = warmup;
  run.draws = draws;
  return run;
}

struct Ran {
  RunOutcome outcome;
  std::vector<RecordingSink::Record> chains;
};

inline Ran run_sampler(const std::shared_ptr<const Target>& target, const SamplerRow& row,
                       const RunOptions& options, const Settings& settings = {}) {
  const RunPlan plan(target, row, settings, options);
  RecordingSink sink(plan.run.chains);
  Monitor monitor(plan.run.chains);
  RunOutcome outcome = run(plan, sink, monitor);
  return {std::move(outcome), std::move(sink.chain)};
}

}  // namespace gadwall::testing
