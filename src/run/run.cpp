// What a run is told, checked.
#include "gadwall/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gadwall/error.hpp"
#include "run/file_groups.hpp"
#include "run/forwarded_draws.hpp"
#include "run/run_loop.hpp"
#include "run/share.hpp"

namespace gadwall {
namespace {

constexpr Index kMostIterations = Index{1} << 50;  // sums of them must not overflow
constexpr Index kMostOffset = 1'000'000'000;       // noise numbers chains with 32 bits
constexpr Index kUnhurriedFactor = 50;  // of the sampler's draws: the most of a run that stops by
                                        // itself, where no other most is given

void require(bool condition, const std::string& message) {
  if (!condition) throw UsageError(message);
}

std::string names_of_settling() {
  std::vector<std::string> names;
  for (const SamplerRow& row : samplers()) {
    if (row.settles) names.push_back(row.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void check_lengths(const RunPlan& plan) {
  require(plan.warmup >= 0, fmt::format("`warmup` is {}, expected at least 0", plan.warmup));
  require(plan.draws >= 1, fmt::format("`draws` is {}, expected at least 1", plan.draws));
  require(plan.run.thin >= 1, fmt::format("`thin` is {}, expected at least 1", plan.run.thin));
  require(plan.warmup <= kMostIterations && plan.draws <= kMostIterations / plan.run.thin,
          fmt::format("`warmup={}` `draws={}` `thin={}`, expected at most {} iterations",
                      plan.warmup, plan.draws, plan.run.thin, kMostIterations));
  require(plan.run.until_ess >= 0,
          fmt::format("`until=ess={}`, expected a positive number", plan.run.until_ess));
  require(!plan.run.warmup_settles || plan.sampler->settles,
          fmt::format("`warmup=auto` is not for {}: it is for samplers that learn all along: {}",
                      plan.sampler->name, names_of_settling()));
}

void check_run(const RunOptions& run, Index n) {
  require(run.chains >= 1, fmt::format("`chains` is {}, expected at least 1", run.chains));
  require(run.lanes >= 1, fmt::format("`lanes` is {}, expected at least 1", run.lanes));
  require(run.chains % run.lanes == 0,
          fmt::format("`lanes` is {}, expected a number that divides the {} chains", run.lanes,
                      run.chains));
  require(run.chain_offset >= 0 && run.chain_offset <= kMostOffset,
          fmt::format("`chain-offset` is {}, expected 0 to {}", run.chain_offset, kMostOffset));
  require(run.threads >= 1, fmt::format("`threads` is {}, expected at least 1", run.threads));
  require(!run.tuning || run.tuning->factor().dim() == n,
          fmt::format("the tuning to begin with is for {} parameters, expected {}",
                      run.tuning ? run.tuning->factor().dim() : 0, n));
}

/// A learner of a form of L must get that form. hmc, which learns none unless it is asked to, and
/// learners that choose the form take any.
void check_tuning(const RunPlan& plan, const Settings& given) {
  const auto metric = plan.settings.find("metric");
  if (!plan.run.tuning || metric == plan.settings.end()) return;
  const std::string word = to_string(metric->second);
  if (word == "auto" || (word == "unit" && !given.contains("metric"))) return;
  const std::string form = to_string(plan.run.tuning->factor().kind());
  require(form == word,
          fmt::format("the tuning to begin with has a {} metric, expected {}", form, word));
}

/// The sampler's defaults, what the target suggests, what is given: each goes before the last.
Settings complete(const SamplerRow& sampler, const Target& target, const Settings& given) {
  check_settings(sampler, given);
  Settings settings = defaults(sampler);
  for (const TargetSuggestions::Setting& s : target.suggestions().settings) {
    if (settings.contains(s.option) && !given.contains(s.unless)) settings[s.option] = s.value;
  }
  for (const auto& [name, value] : given) settings[name] = value;
  return settings;
}

StartPart start_of(const RunOptions& run, const Target& target) {
  if (run.start) return run.start;
  const std::string suggested = target.suggestions().start;
  return suggested.empty() ? normal_start() : start_from_text(suggested);
}

/// In the files each has three names, of which none may be another's.
void require_new(const Statistic& own, const std::vector<Statistic>& known,
                 const std::string& sampler) {
  for (const Statistic& other : known) {
    const bool taken = own.name == other.name || own.stan == other.stan || own.arviz == other.arviz;
    require(!taken, fmt::format("a kernel of {} has a statistic '{}', a name that is taken",
                                sampler, own.name));
  }
}

std::vector<Statistic> statistics_of(const std::vector<Stage>& stages, const std::string& sampler) {
  std::vector<Statistic> all = common_statistics();
  for (const Stage& stage : stages) {
    for (const Statistic& own : stage.kernel()->own_statistics()) {
      const Index known = find_statistic(all, own.name);
      const auto common = static_cast<Index>(common_statistics().size());
      if (known >= common && all[static_cast<std::size_t>(known)] == own)
        continue;  // another stage
      require_new(own, all, sampler);
      all.push_back(own);
    }
  }
  return all;
}

void add_scores(RunPlan& plan) {
  require(plan.stages.back().kernel()->uses_gradient(),
          fmt::format("`save-scores` is not for {}: its draws are made without gradients",
                      plan.sampler->name));
  for (const Statistic& score : score_statistics(plan.target->dim())) {
    require_new(score, plan.statistics, plan.sampler->name);
    plan.statistics.push_back(score);
  }
}

Index planned_draws(const RunOptions& run, const SamplerRow& sampler) {
  return run.draws.value_or(sampler.draws * (run.until_ess > 0 ? kUnhurriedFactor : 1));
}

/// The most lanes of a batch that divide the chains and leave two batches, for two threads.
Index planned_lanes(const SamplerRow& sampler, Index chains) {
  Index lanes = std::max<Index>(1, std::min(sampler.lanes, chains / 2));
  while (chains % lanes != 0) --lanes;
  return lanes;
}

/// What is left to the sampler.
RunOptions with_defaults(RunOptions run, const SamplerRow& sampler) {
  run.chains = planned_chains(run, sampler);
  if (run.lanes == 0) run.lanes = planned_lanes(sampler, run.chains);
  if (run.until_ess == 0 && !run.draws) run.until_ess = sampler.until_ess;
  return run;
}

}  // namespace

Index planned_chains(const RunOptions& run, const SamplerRow& sampler) {
  if (run.chains != 0) return run.chains;
  const Index lanes = std::max<Index>(1, run.lanes);
  return (sampler.chains + lanes - 1) / lanes * lanes;  // whole batches
}

RunPlan::RunPlan(std::shared_ptr<const Target> target_, const SamplerRow& sampler_,
                 const Settings& settings_, const RunOptions& run_)
    : target(std::move(target_)),
      sampler(&sampler_),
      run(with_defaults(run_, sampler_)),
      warmup(run_.warmup.value_or(sampler_.warmup)),
      draws(planned_draws(run_, sampler_)) {
  require(target != nullptr && target->dim() >= 1, "the target has no parameters");
  check_lengths(*this);
  check_run(run, target->dim());
  settings = complete(sampler_, *target, settings_);
  check_tuning(*this, settings_);
  start = start_of(run, *target);
  start->check(target->dim(), run.chains);
  const auto values = static_cast<Index>(target->output_names().size());
  for (const Index i : run.save) {
    require(i >= 0 && i < values, fmt::format("there is no value {} to save", i));
  }
  stages = sampler->stages(settings, {.dim = target->dim(),
                                      .chains = run.chains,
                                      .lanes = run.lanes,
                                      .warmup = warmup,
                                      .iterations = draws * run.thin,
                                      .settles = run.warmup_settles,
                                      .is_tuned = run.tuning.has_value()});
  statistics = statistics_of(stages, sampler->name);
  if (run.save_scores) add_scores(*this);
  check_groups(*this);
}

std::vector<std::string> RunPlan::output_names() const {
  std::vector<std::string> all = target->output_names();
  if (run.save.empty()) return all;
  std::vector<std::string> kept;
  for (const Index i : run.save) kept.push_back(all[static_cast<std::size_t>(i)]);
  return kept;
}

PlannedFacts RunPlan::facts() const {
  PlannedFacts facts;
  facts.sampler = sampler->name;
  facts.statement = target->statement();
  facts.stan_engine = sampler->stan_engine;
  facts.chains = run.chains;
  facts.lanes = run.lanes;
  facts.warmup = warmup;
  facts.draws_asked = draws;
  facts.thin = run.thin;
  facts.parameters = target->parameters();
  if (!run.save.empty()) {
    const auto is_parameter = [&](Index i) { return i < target->parameters(); };
    facts.parameters = std::ranges::count_if(run.save, is_parameter);
  }
  facts.seed = run.seed;
  facts.chain_offset = run.chain_offset;
  facts.settings = used_settings(*sampler, settings);
  facts.groups = groups_of_values(*this);
  return facts;
}

Draws Sink::so_far() {
  throw UsageError("a run can stop on its ESS only where its draws can be read back");
}

std::string RunState::bytes() const {
  std::string all;
  write([&](std::string_view piece) { all += piece; });
  return all;
}

RunOutcome run(const RunPlan& plan, Sink& sink, Monitor& monitor, const Restart& restart) {
  Team alone;
  return run(plan, sink, monitor, restart, alone);
}

RunOutcome run(const RunPlan& plan, Sink& sink, Monitor& monitor, const Restart& restart,
               Team& team) {
  require(
      team.size() <= most_processes(plan),
      fmt::format("there are {} processes, expected at most {} for {} chains in batches of {}",
                  team.size(), most_processes(plan), plan.run.chains, chains_kept_together(plan)));
  if (team.is_first()) return RunLoop(plan, sink, monitor, restart, team).go();
  ForwardedDraws forwarded(plan);
  const Restart none;
  return RunLoop(plan, forwarded, monitor, none, team).go();
}

int most_processes(const RunPlan& plan) {
  return static_cast<int>(plan.run.chains / chains_kept_together(plan));
}

}  // namespace gadwall
