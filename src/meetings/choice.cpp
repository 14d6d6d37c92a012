#include "meetings/choice.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/phase.hpp"
#include "meetings/efficiency.hpp"
#include "meetings/gather.hpp"

namespace gadwall {
namespace {

constexpr Index kPatience =
    4;  // where nuts alone is to find its step, so many times the iterations
constexpr Index kSettlingSteps = 1;  // of a trajectory while its step is sought
constexpr Index kShortestRace = 12;  // iterations
constexpr Index kLongestRace = 60;
constexpr double kNutsGradients = 12;  // per iteration, a guess
constexpr double kTwoStageGain = 1.5;  // its steps are longer by about this

}  // namespace

void Candidate::archive(Archive& a) {
  a("plan", plan);
  a("step", step);
  a("predicted", predicted);
  a("confirmed", confirmed);
  a("raced", raced);
}

Choice::Choice(ChoiceOptions options)
    : options_(std::move(options)),
      averaging_(options_.step),
      candidates_{{{options_.integrator, kSettlingSteps}},
                  {{Integrator::two_stage, kSettlingSteps}},
                  {{options_.integrator, 0}}} {}

Tuning Choice::first_tuning(const Tuning& found, const ChoiceOptions& options) {
  Tuning tuning = found;
  const bool is_nuts = options.trajectory == "nuts";
  if (is_nuts || !tuning.trajectory) {
    tuning.trajectory = TrajectoryPlan{options.integrator, is_nuts ? 0 : kSettlingSteps};
  }
  tuning.trajectory->per_draw = 1;
  tuning.step = std::min(found.step, options.largest_step);
  return tuning;
}

/// present().step is the longest allowed while the candidate settles, and its own afterwards.
void Choice::enter(Phase phase, Index iterations, std::span<Member> mine) {
  phase_ = phase;
  phase_end_ = mine.front().iterations + iterations;
  using Look = PathsAdapter::Look;
  const Look look = phase == Phase::settling  ? Look::away
                    : phase == Phase::looking ? Look::along_paths
                                              : Look::at_states;
  for (Member& member : mine) {
    member.tuning.trajectory = present().plan;
    member.tuning.step = present().step;
    adapter_of<PathsAdapter>(member).look(look);
  }
}

bool Choice::hold(std::span<Member> mine, Team& team) {
  if (!begun_) {
    if (mine.front().tuning.trajectory->most_steps == 0) at_ = candidates_.size() - 1;
    averaging_.restart(mine.front().tuning.step, 1);
    present().step = options_.largest_step;
    phase_end_ = options_.settling * (at_ == 0 ? 1 : kPatience);
    begun_ = true;
  }
  const double acceptance = acceptance_.since_last(mine, team);
  if (phase_ == Phase::settling) {
    const double step = std::min(averaging_.learn(acceptance), present().step);
    for (Member& member : mine) member.tuning.step = step;
  }
  if (mine.front().iterations < phase_end_) return false;
  switch (phase_) {
    case Phase::settling:
      return settled(mine);
    case Phase::looking:
      return looked(mine, team);
    case Phase::racing:
      return raced(mine, team);
    case Phase::confirming:
      return confirmed(mine, team);
  }
  return true;
}

bool Choice::settled(std::span<Member> mine) {
  present().step = std::min(averaging_.average(), present().step);
  if (!is_of_length()) {  // nuts, the last; the only one where the target is curved
    if (candidates_.front().step == 0) return true;
    return start_race(0, mine);
  }
  present().plan.most_steps = options_.first_length;
  enter(Phase::looking, options_.looking, mine);
  return false;
}

bool Choice::looked(std::span<Member> mine, Team& team) {
  const LengthEfficiency best = best_length(seen(mine, team));
  const Index longest = present().plan.most_steps;
  if (best.steps == longest && longest < options_.most_length) {
    present().plan.most_steps = 2 * longest;
    enter(Phase::looking, options_.looking, mine);
    return false;
  }
  present().plan.most_steps = best.steps;
  present().plan.persistence = best.persistence;
  present().predicted = best.efficiency;
  if (at_ == 0 && is_trusted(present()) && best.efficiency >= options_.good) {
    if (best.efficiency >= options_.plain) return true;
    enter(Phase::confirming, options_.confirming, mine);
    return false;
  }
  if (at_ == 1 && is_fair()) return start_race(0, mine);
  return next_candidate(mine);
}

/// Where steps must be short in whitened coordinates the target is curved, and lag 1 promises more
/// than trajectories keep.
bool Choice::is_trusted(const Candidate& shear) const {
  return shear.step >= options_.long_step;
}

/// nuts, which needs several gradients per iteration, cannot bring as much.
bool Choice::is_fair() const {
  return is_trusted(candidates_[0]) &&
         std::max(candidates_[0].predicted, candidates_[1].predicted) >= options_.fair;
}

bool Choice::next_candidate(std::span<Member> mine) {
  const Candidate& first = candidates_.front();
  ++at_;
  present().step = options_.largest_step;
  double begin = first.step;
  if (present().plan.integrator == Integrator::two_stage) {
    present().step *= kTwoStageGain;
    begin *= kTwoStageGain;
  }
  const double most = present().step;
  enter(Phase::settling, options_.settling, mine);
  averaging_.restart(std::min(begin, most), 1);
  for (Member& member : mine) member.tuning.step = std::min(begin, most);
  return false;
}

bool Choice::start_race(std::size_t candidate, std::span<Member> mine) {
  at_ = candidate;
  const TrajectoryPlan& plan = present().plan;
  const double cost =
      plan.most_steps == 0
          ? kNutsGradients
          : static_cast<double>((plan.most_steps + 1) * gradients_per_step(plan.integrator)) / 2;
  const auto iterations = static_cast<Index>(options_.race / (is_fair() ? 2 : 1) / cost);
  enter(Phase::racing, std::clamp(iterations, kShortestRace, kLongestRace), mine);
  return false;
}

bool Choice::confirmed(std::span<Member> mine, Team& team) {
  present().confirmed = judge_states(seen(mine, team));
  return true;
}

/// Effective draws per gradient of the present candidate by its states, and so how many of its
/// trajectories make a draw. Those of nuts, long by themselves, always make one.
double Choice::judge_states(const std::vector<Paths>& paths) {
  const double efficiency = efficiency_of_states(paths);
  if (!is_of_length()) return efficiency;
  double gradients = 0, trajectories = 0;
  for (const Paths& batch : paths) {
    gradients += batch.gradients;
    trajectories += static_cast<double>(batch.after.cols());
  }
  const double wanted = options_.least_per_draw / (efficiency * gradients / trajectories);
  const auto most = static_cast<double>(options_.most_per_draw);
  present().plan.per_draw = static_cast<Index>(std::clamp(std::ceil(wanted), 1.0, most));
  return efficiency;
}

bool Choice::raced(std::span<Member> mine, Team& team) {
  const std::vector<Paths> paths = seen(mine, team);
  double divergences = 0;
  for (const Paths& batch : paths) divergences += batch.divergences;
  present().raced = judge_states(paths) / (1 + divergences);
  const std::size_t rivals = is_fair() ? 2 : candidates_.size();
  if (at_ + 1 < rivals) return start_race(at_ + 1, mine);
  return true;
}

std::vector<Paths> Choice::seen(std::span<Member> mine, Team& team) {
  std::vector<Paths> paths;
  for (Member& member : mine) {
    if (is_pooled(member)) paths.push_back(adapter_of<PathsAdapter>(member).seen());
  }
  return gather_values(std::move(paths), team);
}

/// The one that raced best; without a race the present one.
std::size_t Choice::best() const {
  if (std::ranges::all_of(candidates_, [](const Candidate& c) { return c.raced == 0; })) return at_;
  const auto found = std::ranges::max_element(candidates_, {}, &Candidate::raced);
  return static_cast<std::size_t>(found - candidates_.begin());
}

void Choice::finish(std::span<Member> mine, Team&) {
  // The step of a candidate that was cut short while it settled is the last one, not the longest.
  const bool settles = begun_ && phase_ == Phase::settling;
  if (settles && mine.front().iterations < phase_end_) present().step = mine.front().tuning.step;
  const Candidate& chosen = candidates_[best()];
  for (Member& member : mine) {
    if (chosen.plan.most_steps > 0 && chosen.predicted == 0) continue;  // cut short: as it is
    member.tuning.trajectory = chosen.plan;
    member.tuning.step = chosen.step;
  }
}

/// A row per candidate that was looked at; an efficiency of 0: not measured.
std::vector<Note> Choice::findings() const {
  std::vector<Note> notes;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Candidate& c = candidates_[i];
    if (c.step == 0) continue;
    const std::string kind = c.plan.most_steps == 0 ? "nuts, " : "";
    const std::vector<Note> row = {{"candidate", kind + to_string(c.plan.integrator)},
                                   {"most steps", static_cast<double>(c.plan.most_steps)},
                                   {"share of momentum kept", c.plan.persistence},
                                   {"step", c.step},
                                   {"trajectories per draw", static_cast<double>(c.plan.per_draw)},
                                   {"predicted draws per gradient", c.predicted},
                                   {"confirmed draws per gradient", c.confirmed},
                                   {"raced draws per gradient, over 1 + divergences", c.raced},
                                   {"chosen", i == best() ? "yes" : "no"}};
    notes.insert(notes.end(), row.begin(), row.end());
  }
  return notes;
}

void Choice::archive(Archive& a) {
  a("averaging", averaging_);
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    a(("candidate " + std::to_string(i)).c_str(), candidates_[i]);
  }
  auto at = static_cast<Index>(at_);
  a("at", at);
  at_ = static_cast<std::size_t>(at);
  auto phase = static_cast<Index>(phase_);
  a("phase", phase);
  phase_ = static_cast<Phase>(phase);
  a("phase end", phase_end_);
  a("begun", begun_);
  a("acceptance", acceptance_);
}

}  // namespace gadwall
