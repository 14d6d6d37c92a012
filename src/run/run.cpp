// Threads take batches; what they do never depends on which thread does it.
#include "gadwall/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>

#include "gadwall/error.hpp"
#include "run/batch.hpp"

namespace gadwall {
namespace {

void require(bool condition, const std::string& message) {
  if (!condition) throw UsageError(message);
}

void check_run(const RunOptions& run, Index n) {
  require(run.chains >= 1, fmt::format("--chains is {}, expected at least 1", run.chains));
  require(run.lanes >= 1, fmt::format("--lanes is {}, expected at least 1", run.lanes));
  require(run.chains % run.lanes == 0,
          fmt::format("--lanes is {}, expected a number that divides the {} chains", run.lanes,
                      run.chains));
  require(run.threads >= 1, fmt::format("--threads is {}, expected at least 1", run.threads));
  require(run.start_sd > 0,
          fmt::format("--start-sd is {}, expected a positive number", run.start_sd));
  require(run.start.size() == 0 || (run.start.rows() == n && run.start.cols() == run.chains),
          fmt::format("start is {} x {}, expected {} x {} (dimension x chains)", run.start.rows(),
                      run.start.cols(), n, run.chains));
}

// Long enough that handing batches over costs nothing, short enough that all chains go on side by
// side: an interrupted run has draws of every chain, and progress means the same for all.
constexpr double kSliceSeconds = 0.02;

/// Hands out the batch that is furthest behind, for one slice at a time.
class Schedule {
 public:
  explicit Schedule(const std::vector<std::unique_ptr<Batch>>& batches) {
    for (const auto& batch : batches) waiting_.push_back(batch.get());
  }

  Batch* take() {
    const std::lock_guard lock(mutex_);
    const auto behind = std::ranges::min_element(waiting_, {}, &Batch::iteration);
    if (behind == waiting_.end()) return nullptr;
    Batch* batch = *behind;
    waiting_.erase(behind);
    return batch;
  }

  void give_back(Batch* batch) {
    const std::lock_guard lock(mutex_);
    if (!batch->done()) waiting_.push_back(batch);
  }

 private:
  std::mutex mutex_;
  std::vector<Batch*> waiting_;
};

/// Runs all batches on several threads; the first exception ends the run. A thread that finds no
/// batch waiting leaves: there are then no more batches than threads still at work.
void run_batches(const std::vector<std::unique_ptr<Batch>>& batches, int threads, Sink& sink,
                 Monitor& monitor) {
  Schedule schedule(batches);
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&] {
    try {
      while (Batch* batch = monitor.stop ? nullptr : schedule.take()) {
        batch->advance(kSliceSeconds, sink, monitor);
        schedule.give_back(batch);
      }
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      monitor.stop = true;
    }
  };
  {
    std::vector<std::jthread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

RunOutcome collect(const RunPlan& plan, const std::vector<std::unique_ptr<Batch>>& batches) {
  RunOutcome outcome;
  RunFacts& all = outcome.facts;
  all.sampler = plan.sampler->name;
  all.chains = plan.run.chains;
  all.lanes = plan.run.lanes;
  all.warmup = plan.warmup;
  all.draws = plan.draws;
  all.seed = plan.run.seed;
  all.settings = used_settings(*plan.sampler, plan.options);
  for (const auto& batch : batches) {
    outcome.tuning.push_back(batch->tuning());
    if (outcome.first_exception.empty()) outcome.first_exception = batch->tally().first_exception;
    for (Index k = 0; k < plan.run.lanes; ++k) {
      const RunFacts& lane = outcome.chains.emplace_back(batch->lane_facts(k));
      all.draws = std::min(all.draws, lane.draws);
      all.seconds.warmup += lane.seconds.warmup;
      all.seconds.sampling += lane.seconds.sampling;
      all.gradients.warmup += lane.gradients.warmup;
      all.gradients.sampling += lane.gradients.sampling;
      all.densities.warmup += lane.densities.warmup;
      all.densities.sampling += lane.densities.sampling;
      all.bad_points += lane.bad_points;
      all.divergences += lane.divergences;
      all.accept_rate += lane.accept_rate / static_cast<double>(plan.run.chains);
    }
  }
  return outcome;
}

}  // namespace

RunPlan::RunPlan(std::shared_ptr<const Target> target_, const SamplerRow& sampler_,
                 const SamplerOptions& options_, const RunOptions& run_)
    : target(std::move(target_)),
      sampler(&sampler_),
      options(options_),
      run(run_),
      warmup(run_.warmup.value_or(sampler_.warmup)),
      draws(run_.draws.value_or(sampler_.draws)) {
  require(target != nullptr && target->dim() >= 1, "the target has no parameters");
  require(warmup >= 0, fmt::format("--warmup is {}, expected at least 0", warmup));
  require(draws >= 1, fmt::format("--draws is {}, expected at least 1", draws));
  constexpr Index kMost = Index{1} << 50;  // their sum must not overflow
  require(warmup <= kMost && draws <= kMost,
          fmt::format("--warmup {} --draws {}, expected at most {} each", warmup, draws, kMost));
  check_run(run, target->dim());
  check_options(sampler_, options);
}

RunOutcome run(const RunPlan& plan, Sink& sink, Monitor& monitor) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::unique_ptr<Batch>> batches;
  for (Index b = 0; b < plan.run.chains / plan.run.lanes; ++b) {
    batches.push_back(std::make_unique<Batch>(plan, b));
  }
  run_batches(batches, std::min<int>(plan.run.threads, static_cast<int>(batches.size())), sink,
              monitor);
  RunOutcome outcome = collect(plan, batches);
  outcome.interrupted = monitor.stop;
  // The phases of different batches overlap on several threads: the wall clock is shared out
  // between warm-up and sampling as the computing time is.
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  Cost<double>& seconds = outcome.facts.seconds;
  const double computing = seconds.total();
  seconds.warmup *= computing > 0 ? wall / computing : 0;
  seconds.sampling *= computing > 0 ? wall / computing : 0;
  return outcome;
}

}  // namespace gadwall
