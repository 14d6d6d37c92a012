#include "session/trouble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnostics/advice.hpp"
#include "text/number_text.hpp"

namespace gadwall::session {
namespace {

constexpr Index kLongWithoutMove = 2000;  // iterations; a random walk accepts one in four
constexpr double kFarTail = 1000;         // log density below the later one, a dimension
constexpr double kApart = 1.2;            // R-hat of chains that have each drawn enough
constexpr double kEnough = 50;            // ESS of each chain alone

/// For a chain that has never moved: its proposals are too large in some direction.
std::string another_sampler(const RunPlan& plan) {
  const auto scout = plan.settings.find("scout");
  if (scout != plan.settings.end() && scout->second == OptionValue(Index{0})) {
    return "`scout=1000`, ";
  }
  const auto metric = plan.settings.find("metric");
  return advise_trees(plan.sampler->has_option("max-depth"),
                      metric != plan.settings.end() && has_correlations(to_string(metric->second)));
}

/// By where the chains started.
std::string another_start(const RunPlan& plan) {
  return fmt::format("another `start` (it was {})", plan.start->name());
}

}  // namespace

bool is_stuck(const ChainProgress& chain) {
  return chain.iteration - chain.moved_at >= kLongWithoutMove;
}

std::vector<std::string> TroubleWatch::look(const Monitor& monitor, const Estimates& estimates) {
  fresh_.clear();
  for (Index c = 0; c < static_cast<Index>(monitor.chain.size()); ++c) look_at_chain(c, monitor);
  look_at_draws(estimates);
  return fresh_;
}

void TroubleWatch::say_once(const std::string& key, const std::string& line) {
  if (said_.insert(key).second) fresh_.push_back(line);
}

void TroubleWatch::look_at_chain(Index chain, const Monitor& monitor) {
  const ChainProgress& progress = monitor.chain[static_cast<std::size_t>(chain)];
  if (is_stuck(progress)) {
    say_once(
        fmt::format("stuck {}", chain),
        fmt::format("chain {} has not moved for {} iterations (log density {:g}); if this "
                    "lasts, try {}another `seed`, a longer `warmup`, {}",
                    chain + 1,
                    grouped(static_cast<std::uint64_t>(progress.iteration - progress.moved_at)),
                    progress.log_density.load(),
                    progress.moved_at == 0 ? another_sampler(plan_) : "", another_start(plan_)));
  }
  const double first = progress.first_log_density;
  const double now = progress.log_density;
  const bool rose =
      now - first > kFarTail * static_cast<double>(plan_.target->dim()) && now > first / 10;
  if (rose && !plan_.stages.front().climbs) {  // such a stage comes from anywhere
    say_once(fmt::format("tail {}", chain),
             fmt::format("chain {} started in the far tail: its log density rose from {:.3g} to "
                         "{:.3g}; try {}",
                         chain + 1, first, now, another_start(plan_)));
  }
  if (progress.divergences > 0) {
    say_once("divergences",
             fmt::format("chain {} has divergent trajectories: parts of the posterior may be out "
                         "of reach; try a higher `target-accept`, or reparametrise",
                         chain + 1));
  }
}

void TroubleWatch::look_at_draws(const Estimates& estimates) {
  if (estimates.nothing_moves) {
    say_once("still", fmt::format("no chain has moved in its draws so far; if this lasts, try "
                                  "{}another `seed`, a longer `warmup`, {}",
                                  another_sampler(plan_), another_start(plan_)));
  } else if (!estimates.unmoved.empty()) {
    const std::size_t others = estimates.unmoved.size() - 1;
    say_once("unmoved",
             fmt::format("{}{} the same value in all draws so far: does the model fix it?",
                         estimates.unmoved.front(),
                         others > 0 ? fmt::format(" and {} more have each", others) : " has"));
  }
  const bool enough =
      std::ranges::all_of(estimates.chain_ess, [](double e) { return e > kEnough; });
  if (enough && estimates.rhat > kApart) {
    say_once("apart",
             fmt::format("the chains disagree about {} (R-hat {:.2f}): they have not mixed yet, or "
                         "there are several modes; if this lasts, look at the chains one by one",
                         estimates.rhat_name, estimates.rhat));
  }
}

}  // namespace gadwall::session
