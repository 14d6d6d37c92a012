// Runs a chain and keeps what tables and figures need of it.
#include "reproduce/repeat.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <limits>

#include "files/checkpoint.hpp"
#include "gadwall/sample.hpp"
#include "math/aligned_copy.hpp"
#include "report/curves.hpp"

namespace gadwall::app::reproduce {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr Index kDrawnPoints = 500;
constexpr Index kLargestCovariance = 64;  // dimensions of a covariance that a figure shows

/// Processor time of the calling thread: others at work on the machine do not change it much.
double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

RunPlan run_plan(const RepeatPlan& plan, std::shared_ptr<const Target> target) {
  const Method& method = plan.method();
  RunOptions run;
  run.chains = method.chains;
  run.warmup = method.warmup;
  run.draws = method.draws;
  run.seed = static_cast<std::uint64_t>(plan.number);
  return {std::move(target), find_sampler(method.sampler), method.settings, run};
}

void add_log_target(const Draws& draws, RepeatPictures& pictures) {
  const AdaptationTrace& trace = draws.learnt.front().trace;
  for (std::size_t row = 0; row < trace.iteration.size(); ++row) {
    pictures.iteration.push_back(trace.iteration[row]);
    pictures.log_target.push_back(trace.log_density[row].front());
  }
  const Vector log_density = draws.statistic(0, "log_density");
  const report::Thinning thinning = report::Thinning::of(log_density.size(), kDrawnPoints);
  for (Index i = 0; i < log_density.size(); i += thinning.every) {
    pictures.iteration.push_back(draws.facts.warmup + i + 1);
    pictures.log_target.push_back(log_density[i]);
  }
}

void add_coordinate(const Draws& draws, Index coordinate, RepeatPictures& pictures) {
  if (coordinate < 0) return;
  const auto x = draws.chains.front().draws.col(coordinate);
  const report::Thinning thinning = report::Thinning::of(x.size(), 2 * kDrawnPoints);
  for (Index i = 0; i < x.size(); i += thinning.every) {
    pictures.draw.push_back(i + 1);
    pictures.coordinate.push_back(x[i]);
  }
}

void add_learnt(const Learnt& learnt, RepeatPictures& pictures) {
  const Factor& factor = learnt.tuning.factor();
  const auto beta = learnt.trace.recorded.find("beta");
  pictures.beta = learnt.number("beta");
  pictures.beta_mean = kNaN;
  if (beta != learnt.trace.recorded.end()) {
    const Vector path = aligned_copy(beta->second);
    pictures.beta_mean = path.tail((path.size() + 1) / 2).mean();
  }
  if (factor.parts().empty()) return;
  const Vector diagonal = learnt.tuning.step * factor.matrix_diagonal();
  pictures.diagonal.assign(diagonal.begin(), diagonal.end());
  if (factor.dim() > kLargestCovariance) return;
  const Matrix covariance = std::pow(learnt.tuning.step, 2) * factor.covariance();
  pictures.covariance.assign(covariance.data(), covariance.data() + covariance.size());
}

template <class T>
double charged(const Cost<T>& cost, double warmup_weight) {
  return warmup_weight * static_cast<double>(cost.warmup) + static_cast<double>(cost.sampling);
}

/// Of all chains; the summary has the mean of one.
Spread of_all_chains(Spread ess, Index chains) {
  const auto count = static_cast<double>(chains);
  return {count * ess.min, count * ess.median, count * ess.max};
}

RepeatPictures pictures_of(const Draws& draws, Index coordinate) {
  RepeatPictures pictures;
  add_log_target(draws, pictures);
  add_coordinate(draws, coordinate, pictures);
  add_learnt(draws.learnt.front(), pictures);
  return pictures;
}

}  // namespace

std::map<std::string, std::string> RepeatPlan::settings(const std::string& data) const {
  const Method& method = chosen.method;
  auto settings = used_settings(find_sampler(method.sampler), method.settings);
  settings["sampler"] = method.sampler;
  settings["warmup"] = std::to_string(method.warmup);
  settings["draws"] = std::to_string(method.draws);
  settings["seed"] = std::to_string(number);
  settings["data"] = data;
  settings["build"] = files::build_identity();
  return settings;
}

std::optional<Repeat> run_repeat(const RepeatPlan& plan, std::shared_ptr<const Target> target,
                                 const std::string& data, Monitor& monitor) {
  const RunPlan run_it = run_plan(plan, std::move(target));
  MemorySink sink(run_it);
  const double begin = thread_seconds();
  RunOutcome outcome = run(run_it, sink, monitor);
  const double seconds = thread_seconds() - begin;
  if (outcome.interrupted) return {};

  Draws draws = sink.so_far();
  draws.facts = outcome.facts;
  draws.learnt = std::move(outcome.learnt);
  const Summary summary = summarise(draws);
  const RunFacts& facts = draws.facts;
  const double weight = plan.chosen.warmup_weight;
  return Repeat{.name = plan.name(),
                .settings = plan.settings(data),
                .scale = plan.chosen.scale,
                .warmup = facts.warmup,
                .draws = facts.draws,
                .seconds = seconds * charged(facts.seconds, weight) / facts.seconds.total(),
                .wall_seconds = facts.seconds.total(),
                .acceptance = facts.accept_rate,
                .ess = of_all_chains(summary.ess_paper, facts.chains),
                .ess_worst = summary.ess_worst,
                .evaluations = charged(facts.gradients, weight) + charged(facts.densities, weight),
                .divergences = static_cast<double>(facts.divergences),
                .pictures = pictures_of(draws, plan.experiment->coordinate)};
}

}  // namespace gadwall::app::reproduce
