// The words of a run: read, checked, made into a plan.
#include "session/run_request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "diagnostics/thresholds.hpp"
#include "gadwall/catalog.hpp"
#include "gadwall/error.hpp"
#include "gadwall/host.hpp"
#include "run/file_groups.hpp"
#include "session/duration.hpp"
#include "session/numbers.hpp"
#include "session/warm_start.hpp"
#include "text/name_selection.hpp"

namespace gadwall::session {
namespace {

// Far beyond what can be done, and small enough that no sum of them overflows.
constexpr std::uint64_t kMostIterations = 1'000'000'000'000'000;
constexpr std::uint64_t kMostChains = 1'000'000;      // each has a file
constexpr std::uint64_t kMostOffset = 1'000'000'000;  // noise numbers chains with 32 bits
constexpr Index kWarmStartShare = 10;  // of the warm-up, where the tuning is learnt already
constexpr std::uint64_t kAnySeed = std::numeric_limits<std::uint64_t>::max();

void set_warmup(const std::string& text, RunOptions& run) {
  constexpr std::string_view kAuto = "auto";
  run.warmup_settles = text == kAuto || text.starts_with("auto:");
  if (text == kAuto) return;
  const std::string number = run.warmup_settles ? text.substr(kAuto.size() + 1) : text;
  const std::string option = run.warmup_settles ? "`warmup=auto:N`, N" : "`warmup`";
  run.warmup = static_cast<Index>(whole_number(option, number, {0, kMostIterations}));
}

double ess_of(const std::string& text) {
  constexpr std::string_view key = "ess=";
  if (!text.starts_with(key)) {
    throw UsageError(fmt::format("`until` is '{}', expected ess=N, e.g. ess=400", text));
  }
  return positive_number("`until=ess`", text.substr(key.size()));
}

/// An option whose value is a whole number; field: of a RunRequest.
template <class Field>
RequestOption whole(const std::string& name, Field field, WholeRange range,
                    const std::string& help) {
  return {name, "N", help, [name, field, range](RunRequest& request, const std::string& text) {
            const std::uint64_t value = whole_number("`" + name + "`", text, range);
            auto& place = field(request);
            place = static_cast<std::decay_t<decltype(place)>>(value);
          }};
}

std::vector<RequestOption> lengths() {
  return {
      {"sampler", "NAME", "see gadwall list samplers [" + SampleOptions{}.sampler + "]",
       [](RunRequest& r, const std::string& text) { r.sampler = text; }},
      {"chains", "N", "independent chains [4, auto: 16; or as many as lanes]",
       [](RunRequest& r, const std::string& text) {
         r.chains = static_cast<Index>(whole_number("`chains`", text, {1, kMostChains}));
       }},
      whole(
          "lanes", [](RunRequest& r) -> Index& { return r.run.lanes; }, {1, kMostChains},
          "chains in lockstep that share what they learn; divides the chains [1, auto: 8]"),
      {"warmup", "N|auto",
       "iterations that learn; auto: until what is learnt has settled, at most the default, "
       "auto:N: at most N [the sampler's default]",
       [](RunRequest& r, const std::string& text) { set_warmup(text, r.run); }},
      {"draws", "N",
       "draws of each chain that are kept; with `until` the most [the sampler's default]",
       [](RunRequest& r, const std::string& text) {
         r.run.draws = static_cast<Index>(whole_number("`draws`", text, {1, kMostIterations}));
       }},
      {"until", "ess=N",
       fmt::format("end when the worst ESS is so large and R-hat below {}: ess=400", kMostRhat),
       [](RunRequest& r, const std::string& text) { r.run.until_ess = ess_of(text); }},
      {"max-time", "TIME", "end after so long, with the draws so far: 90s, 10m, 2h",
       [](RunRequest& r, const std::string& text) {
         r.run.max_seconds = duration("`max-time`", text);
       }},
      whole(
          "seed", [](RunRequest& r) -> std::uint64_t& { return r.run.seed; }, {0, kAnySeed},
          "decides every random number [1]"),
      whole(
          "chain-offset", [](RunRequest& r) -> Index& { return r.run.chain_offset; },
          {0, kMostOffset},
          "the chains are those after the first N of the seed: parts of one run in several jobs, "
          "which gadwall merge puts together [0]"),
      {"threads", "N", "[the processor's cores]",
       [](RunRequest& r, const std::string& text) {
         r.threads = static_cast<int>(whole_number("`threads`", text, {1, kMostChains}));
       }},
  };
}

std::vector<RequestOption> what_is_kept_and_begun_with() {
  return {
      {"save", "NAMES", "keep these parameters only: 'beta,theta[1:3]'",
       [](RunRequest& r, const std::string& text) { r.save = text; }},
      whole(
          "thin", [](RunRequest& r) -> Index& { return r.run.thin; }, {1, kMostIterations},
          "iterations per kept draw: `draws=N` runs N times as many [1]"),
      {"save-warmup", "", "keep the states of warm-up too",
       [](RunRequest& r, const std::string& text) {
         r.run.save_warmup = switch_from_text("`save-warmup`", text);
       }},
      {"save-scores", "",
       "keep the gradient of the log density with every draw, for means by score control variates",
       [](RunRequest& r, const std::string& text) {
         r.run.save_scores = switch_from_text("`save-scores`", text);
       }},
      {"groups", "GROUP=NAME,...",
       "generated values and data that go to other groups of the NetCDF file than posterior and "
       "constant_data: posterior_predictive=y_rep, log_likelihood=log_lik, observed_data=y; none: "
       "every value to posterior [by name: log_lik, *_rep]",
       [](RunRequest& r, const std::string& text) { r.run.groups = file_groups_from_text(text); }},
      {"start", "LAW|R|FILE|RUN",
       "normal:SD: N(0, SD^2 I); uniform:R, or R: uniformly in (-R, R), 0: at the origin; with "
       "+far-tail: from there up to the bulk; FILE.json: at these values of the parameters; RUN: "
       "at its last draws [normal:1; stan: uniform:2]",
       [](RunRequest& r, const std::string& text) { r.start = text; }},
      {"tuning", "FILE",
       "begin with what this run, or file of `save-tuning`, learnt; warm-up is then a tenth of the "
       "default, or `warmup=0`",
       [](RunRequest& r, const std::string& text) { r.tuning = text; }},
  };
}

/// What a warm start, or a scout, decides cannot be said twice.
void check_start_words(const RunRequest& request) {
  const auto exclude = [&](const char* one, const char* other) {
    throw UsageError(
        fmt::format("`{}` and `{}` exclude each other, expected one of them", one, other));
  };
  const auto given = [&](const char* name) { return request.settings.contains(name); };
  const bool tuned = !request.tuning.empty();
  if (tuned && given("step")) exclude("tuning", "step");
  if (tuned && given("initial-scale")) exclude("tuning", "initial-scale");
  const auto scout = request.settings.find("scout");
  if (scout == request.settings.end() || scout->second == "0") return;
  if (tuned) exclude("scout", "tuning");
  if (given("initial-scale")) exclude("scout", "initial-scale");
}

/// Words about what warm-up learns, where there is none and the tuning says otherwise.
void check_kept_tuning(const Settings& settings, const Tuning& tuning) {
  const auto says = [&](const char* name, const char* word) {
    const auto found = settings.find(name);
    return found != settings.end() && to_string(found->second) == word;
  };
  if (says("warp", "off") && tuning.warp) {
    throw UsageError(
        "`warp=off`: the tuning to begin with has a change of variables, which its metric is for, "
        "and with `warmup=0` no other is learnt; expected some warm-up, or a tuning without one");
  }
  if (says("trajectory", "nuts") && tuning.trajectory && tuning.trajectory->most_steps > 0) {
    throw UsageError(
        "`trajectory=nuts`: the tuning to begin with has trajectories of a given length, and with "
        "`warmup=0` no step for others is learnt; expected some warm-up, or a tuning with nuts");
  }
}

void warn_of_far_starts(const RunPlan& plan) {
  say(MessageKind::warning,
      fmt::format("`warmup=0` without `start`: draws begin at {}, which may be far from the bulk; "
                  "`start=RUN` begins at the last draws of a run",
                  plan.start->name()));
}

RunOptions complete(const RunRequest& request) {
  RunOptions run = request.run;
  run.chains = planned_chains(request);
  run.threads =
      request.threads.value_or(static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
  return run;
}

}  // namespace

const std::vector<RequestOption>& request_options() {
  static const std::vector<RequestOption> table = [] {
    std::vector<RequestOption> all = lengths();
    for (RequestOption& option : what_is_kept_and_begun_with()) all.push_back(std::move(option));
    return all;
  }();
  return table;
}

const RequestOption& request_option(const std::string& name) {
  return *std::ranges::find(request_options(), name, &RequestOption::name);
}

std::vector<OptionInfo> all_sampler_options() {
  std::vector<OptionInfo> all;
  for (const SamplerRow& row : samplers()) {
    for (const OptionInfo& info : row.options) {
      const auto known = std::ranges::find(all, info.name, &OptionInfo::name);
      if (known == all.end()) {
        all.push_back(info);
        continue;
      }
      for (const std::string& choice : info.choices) {
        if (std::ranges::count(known->choices, choice) == 0) known->choices.push_back(choice);
      }
    }
  }
  return all;
}

std::string samplers_with(const std::string& option) {
  std::vector<std::string> names;
  for (const SamplerRow& row : samplers()) {
    if (row.has_option(option)) names.push_back(row.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

bool set_word(RunRequest& request, const std::string& name, const std::string& value) {
  const auto option = std::ranges::find(request_options(), name, &RequestOption::name);
  if (option != request_options().end()) {
    option->set(request, value);
    return true;
  }
  if (samplers_with(name).empty()) return false;
  request.settings[name] = value;
  return true;
}

bool switch_from_text(const std::string& option, const std::string& text) {
  if (text == "true" || text == "yes" || text == "1") return true;
  if (text == "false" || text == "no" || text == "0") return false;
  throw UsageError(fmt::format("{} is '{}', expected true or false", option, text));
}

Settings sampler_settings(const RunRequest& request) {
  const SamplerRow& row = find_sampler(request.sampler);
  Settings settings;
  for (const auto& [name, text] : request.settings) {
    const OptionInfo* info = find_option(row.options, name);
    if (info == nullptr) {
      throw UsageError(fmt::format("`{}` is not an option of {}; it belongs to {}", name, row.name,
                                   samplers_with(name)));
    }
    settings.emplace(name, option_from_text(*info, text));
  }
  check_settings(row, settings);
  return settings;
}

Index planned_chains(const RunRequest& request) {
  return request.chains.value_or(
      gadwall::planned_chains(request.run, find_sampler(request.sampler)));
}

RunPlan make_plan(const RunRequest& request, std::shared_ptr<const Target> target) {
  const SamplerRow& sampler = find_sampler(request.sampler);
  check_start_words(request);
  Settings settings = sampler_settings(request);
  RunOptions run = complete(request);
  if (!request.save.empty())
    run.save = select_names(target->output_names(), request.save, "`save`");
  if (!request.start.empty()) run.start = read_start(request.start, *target, run);
  if (!request.tuning.empty()) {
    const WarmStart start = read_tuning(request.tuning);
    run.tuning = start.tuning;
    const bool fits = start.tuning.factor().dim() == target->dim();
    if (fits && !start.target.empty() && !request.title.empty() && start.target != request.title) {
      say(MessageKind::warning,
          fmt::format("`tuning={}`: was learnt from the target {}, and is used "
                      "for {}",
                      request.tuning, start.target, request.title));
    }
    if (std::isfinite(start.beta) && sampler.has_option("beta")) {
      settings.emplace("beta", start.beta);
    }
    if (!run.warmup) run.warmup = sampler.warmup / kWarmStartShare;
    if (run.warmup == 0) check_kept_tuning(settings, start.tuning);
  }
  RunPlan plan(std::move(target), sampler, settings, run);
  const bool begins = !request.goes_on && !run.start;
  if (begins && plan.run.tuning && plan.warmup == 0) warn_of_far_starts(plan);
  return plan;
}

}  // namespace gadwall::session
