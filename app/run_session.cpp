// Carries a run out: what is asked before it, done around it and said after it.
#include "run_session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <new>

#include "commands.hpp"
#include "diagnostics/thresholds.hpp"
#include "files/file_place.hpp"
#include "files/kept_summary.hpp"
#include "gadwall/error.hpp"
#include "gadwall/summary.hpp"
#include "interrupt.hpp"
#include "launch.hpp"
#include "memory.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "session/warm_start.hpp"
#include "shared_session.hpp"
#include "target_arguments.hpp"
#include "terminal.hpp"
#include "text/number_text.hpp"
#include "working_line.hpp"

namespace gadwall::app {
namespace {

constexpr Index kSummaryRows = 10;

std::string number_text(Index count) {
  return grouped(static_cast<std::uint64_t>(count));
}

std::map<std::string, std::string> fingerprints(const RunArguments& a) {
  std::map<std::string, std::string> result;
  for (const std::string& file : input_files(a)) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored)) {
      result.emplace(file, files::file_fingerprint(file));
    }
  }
  return result;
}

/// Draws from before and after a change do not belong to one posterior.
void check_unchanged(const files::Checkpoint& from, const std::map<std::string, std::string>& now) {
  for (const auto& [file, was] : from.fingerprints) {
    const auto found = now.find(file);
    if (found == now.end()) {
      throw UsageError(
          fmt::format("{}: is not there, seen from this directory; resume where the run "
                      "was begun, or put the file back",
                      file));
    }
    if (found->second == was) continue;
    throw UsageError(
        fmt::format("{}: has changed since the run began (was {}, is {}), so the run "
                    "cannot go on; restore it, or begin a new run",
                    file, was, found->second));
  }
}

RunLabels labels_of(const Job& job, const CLI::App& parser) {
  return {run_title(job.arguments), target_settings(parser, find_target(job.arguments.target)),
          shell_line(job.words)};
}

/// As any later command would see the files.
void show_summary(const RunArguments& a, const RunOutcome& outcome, const Output& output) {
  std::optional<files::JudgedRun> run;
  {
    keep_freed_memory();
    WorkingLine working(a.quiet);
    const files::JudgeOptions options{
        .summary = {.paper_ess = a.json, .known = output.files->known_summary(outcome)},
        .is_own = true,
        .begins = [&](const std::string& what) { working.show(what); }};
    const std::vector<std::string> draws = {output.files->paths().front()};
    const std::optional<files::ReadResult> remembered = output.files->remembered(outcome);
    run = remembered ? files::judge_draws(draws, *remembered, options)
                     : files::judge_run(draws, options);
  }
  const Summary& summary = run->summary;
  const bool many = summary.parameters.size() > static_cast<std::size_t>(2 * kSummaryRows);
  const TableStyle style = table_style(many ? kSummaryRows : 0, summary.parameters.size());
  fmt::print("{}", a.json ? to_json(summary) : to_text(summary, style));
  if (!a.json && !run->verdict.sound()) fmt::print("{}", not_sound_line({output.files->name()}));
}

void say_where(const RunArguments& a, const Output& output) {
  fmt::print(a.json ? stderr : stdout, "draws: {} (gadwall summary {})\n",
             list_files(output.files->paths()), shell_word(output.files->name()));
}

/// Which of the rules ended the run, where there was a choice.
void say_what_ended_it(const RunArguments& a, const RunPlan& plan, const RunFacts& facts) {
  if (plan.run.warmup_settles && facts.draws > 0 && facts.warmup == plan.warmup && !a.quiet) {
    fmt::print(a.json ? stderr : stdout,
               "warm-up took its most, {} iterations: what is learnt had not settled; --warmup "
               "auto:N allows more\n",
               number_text(plan.warmup));
  }
  const std::string done = fmt::format("after {} draws per chain", number_text(facts.draws));
  std::string why;
  if (facts.stopped_by == "ess") {
    why = fmt::format("stopped {}: worst ESS {} reached, R-hat below {}", done,
                      count_text(plan.run.until_ess), kMostRhat);
  } else if (facts.stopped_by == "time" && facts.draws > 0) {
    why = fmt::format("stopped {}: --max-time is over", done);
  } else if (facts.stopped_by == "draws" && plan.run.until_ess > 0) {
    why = fmt::format("stopped {}, the most: worst ESS {} was not reached", done,
                      count_text(plan.run.until_ess));
  }
  if (!why.empty() && !a.quiet) fmt::print(a.json ? stderr : stdout, "{}\n", why);
}

/// The size of one L, and what a smaller one would be called.
std::string explain_memory(const RunPlan& plan) {
  const auto metric = plan.settings.find("metric");
  const bool is_dense =
      metric != plan.settings.end() && metric->second == OptionValue(to_string(Metric::dense));
  const auto n = static_cast<double>(plan.target->dim());
  const auto batches = static_cast<double>(plan.run.chains) / static_cast<double>(plan.run.lanes);
  const bool is_wide = n > 100 * batches;
  const std::string way_out =
      is_dense && is_wide
          ? fmt::format(": a dense metric takes {} GB or more, --metric diag {} GB",
                        rate_text(8e-9 * n * n * batches), rate_text(8e-9 * n * batches))
          : "; fewer chains need less";
  return fmt::format("not enough memory for {} and {}{}",
                     counted(static_cast<std::uint64_t>(plan.target->dim()), "parameter"),
                     counted(static_cast<std::uint64_t>(plan.run.chains), "chain"), way_out);
}

struct EndedRun {
  RunOutcome outcome;
  int signal = 0;  // that ended it, whichever process it came to
};

EndedRun run_or_explain(const RunPlan& plan, Sink& sink, Monitor& monitor, const Restart& restart) {
  try {
    EndedRun ended{run(plan, sink, monitor, restart, processes())};
    // At once: what the first has to do alone may take long.
    if (ended.outcome.interrupted) ended.signal = signal_of_any();
    return ended;
  } catch (const std::bad_alloc&) {
    throw RunError(explain_memory(plan));
  } catch (const Interrupted&) {
    throw Interrupted(InterruptGuard::signal_seen());
  }
}

/// Of processes that have no files: draws go to the first one.
class NoSink final : public Sink {
  void begin_sampling(Index, const Tuning&) override {}
  void write(Index, const DrawStatistics&, ConstVectorRef) override {}
};

int finish(const Job& job, const RunPlan& plan, const EndedRun& ended, const Output& output) {
  const RunArguments& a = job.arguments;
  const RunOutcome& outcome = ended.outcome;
  if (!a.save_tuning.empty()) {
    session::WarmStart learnt = session::pool(outcome.learnt);
    learnt.target = run_title(a);
    session::write_tuning(a.save_tuning, learnt, output.files->name());
  }
  if (outcome.exceptions > 0) {
    const std::string where = outcome.exceptions == 1
                                  ? "1 point, which was"
                                  : fmt::format("{} points, which were", outcome.exceptions);
    warn({fmt::format("the target threw at {} rejected; the first: {}", where,
                      fmt::join(outcome.first_exceptions, "; "))});
  }
  if (outcome.facts.draws > 0) {
    if (!a.quiet || a.json) show_summary(a, outcome, output);
    say_what_ended_it(a, plan, outcome.facts);
    say_waiting(a, outcome.team);
    say_where(a, output);
  } else {
    say_what_ended_it(a, plan, outcome.facts);
  }
  const bool goes_on =
      a.checkpoint_seconds > 0 && (outcome.interrupted || outcome.facts.stopped_by == "time");
  std::fflush(stdout);
  if (outcome.interrupted) {
    tell(fmt::format("gadwall: interrupted after {} of {} draws per chain{}\n",
                     number_text(outcome.facts.draws), number_text(plan.draws),
                     outcome.facts.draws > 0 ? "" : ", in warm-up: there are no draws yet"));
  }
  const bool out_of_time = outcome.facts.stopped_by == "time" && outcome.facts.draws == 0;
  if (out_of_time) {
    const StageFacts& stage = outcome.facts.stages.back();
    tell(
        fmt::format("gadwall: --max-time is over in warm-up, after {} of {} iterations: there are "
                    "no draws yet\n",
                    number_text(stage.begin + stage.iterations), number_text(plan.warmup)));
  }
  if (goes_on && (!a.quiet || out_of_time)) {
    tell(fmt::format("gadwall resume {} goes on from here\n", shell_word(output.files->name())));
  }
  if (out_of_time) return kNoDraws;
  return outcome.interrupted ? 128 + ended.signal : kSuccess;
}

/// What the other processes do: some of the chains, without files and words.
int help(const Job& job, const CLI::App& parser, Team& team) {
  team.from_first("");  // it has compiled the program, and has not refused the plan
  const auto prints = fingerprints(job.arguments);
  const RunPlan plan = make_plan(job.arguments, parser);
  Monitor monitor(plan.run.chains);
  const InterruptGuard interrupt(monitor);
  begin_together(plan, prints, team);
  if (joined_team()->is_member()) {
    NoSink none;
    run_or_explain(plan, none, monitor, {});
  }
  return leave_launch(kSuccess);
}

}  // namespace

int carry_out(Job& job, const CLI::App& parser) {
  job.arguments.goes_on = job.from.has_value();
  Team& team = processes();
  if (team.size() > 1 && !job.arguments.threads) job.arguments.threads = threads_of_process();
  if (!team.is_first()) return help(job, parser, team);
  const RunArguments& a = job.arguments;
  const auto prints = fingerprints(a);
  if (job.from) check_unchanged(job.from->checkpoint, prints);
  if (!a.save_tuning.empty()) {
    const bool is_own = job.from && session::is_tuning_of(a.save_tuning, job.from->lock->run());
    files::check_place(a.save_tuning, a.force || is_own);
  }
  const RunPlan plan = make_plan(a, parser);
  Monitor monitor(plan.run.chains);
  Output output;
  EndedRun ended;
  {
    const InterruptGuard interrupt(monitor);  // before there are files to clean up
    const RunLabels labels = labels_of(job, parser);
    const files::RunOrigin origin{job.words, prints, std::filesystem::current_path().string()};
    output = job.from ? reopen_output(plan, a, labels, origin, std::move(*job.from))
                      : open_output(plan, a, labels, origin);
    begin_together(plan, prints, team);
    {
      const Progress progress(monitor, plan, output.estimates);
      ended = run_or_explain(plan, output.files->sink(), monitor, output.files->restart());
    }
    output.files->finish(ended.outcome);
  }
  return finish(job, plan, ended, output);
}

}  // namespace gadwall::app
