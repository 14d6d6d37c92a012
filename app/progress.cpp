// Watches a run and paints.
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>

#include "live_view.hpp"
#include "messages.hpp"
#include "redrawn_lines.hpp"
#include "session/trouble.hpp"

namespace gadwall::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPeriod{200};
constexpr std::chrono::milliseconds kUnseenPeriod{1000};
constexpr double kPlainPeriod = 10;  // seconds
constexpr std::size_t kAnyWidth = 1000;
constexpr double kShortest = 1e-3;  // seconds: at the first look no time has passed

/// Paints until it is told to stop.
class Painter {
 public:
  Painter(const Monitor& monitor, const RunPlan& plan, const LiveEstimates& estimates)
      : monitor_(monitor),
        plan_(plan),
        estimates_(estimates),
        trouble_(plan),
        time_left_(plan),
        terminal_(isatty(STDERR_FILENO) != 0) {}

  void run(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    while (!stop.stop_requested()) {
      std::unique_lock lock(mutex);
      wake.wait_for(lock, stop, terminal_ ? kPeriod : kUnseenPeriod, [] { return false; });
      if (!stop.stop_requested()) paint();
    }
    constexpr std::size_t few = 4;  // the summary, which follows, looks at all
    say_trouble(estimates_.now(few));
    lines_.wipe();
  }

 private:
  void paint() {
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
    const Estimates estimates = estimates_.now();
    say_trouble(estimates);
    const RunView view = look(estimates, elapsed);  // also unseen: it learns the time left
    if (terminal_) {
      const TerminalSize size = terminal_size(STDERR_FILENO);
      lines_.show(live_lines(view, size), size);
    } else if (elapsed >= next_plain_) {
      next_plain_ += kPlainPeriod;
      tell(run_line(view, kAnyWidth) + "\n");
    }
  }

  void say_trouble(const Estimates& estimates) {
    for (const std::string& line : trouble_.look(monitor_, estimates)) {
      lines_.wipe();
      warn({line});
    }
  }

  RunView look(const Estimates& estimates, double elapsed) {
    RunView view;
    const auto number = static_cast<std::size_t>(monitor_.stage.load());
    const Stage& stage = plan_.stages[number];
    const Index begin = monitor_.stage_begin;
    view.is_sampling = number + 1 == plan_.stages.size();
    view.stage = view.is_sampling ? stage.name : warmup_text(plan_, static_cast<Index>(number));
    const Index unit = view.is_sampling ? plan_.run.thin : 1;
    view.most = view.is_sampling ? plan_.draws : stage.most;
    view.may_end = view.is_sampling ? plan_.run.until_ess > 0 : bool(stage.meeting);
    add_chains(view, estimates, elapsed,
               [&](Index done) { return std::clamp<Index>((done - begin) / unit, 0, view.most); });
    view.done = std::ranges::min(view.chains, {}, &ChainView::done).done;
    for (const ChainView& chain : view.chains) view.divergences += chain.divergences;
    view.ess = estimates.worst_ess;
    view.ess_name = estimates.worst_name;
    view.rhat = estimates.rhat;
    view.time_left = time_left(estimates, elapsed);
    return view;
  }

  template <class Done>
  void add_chains(RunView& view, const Estimates& estimates, double elapsed, Done done) {
    if (!earlier_) earlier_ = Earlier{elapsed, gradients()};
    for (std::size_t c = 0; c < monitor_.chain.size(); ++c) {
      const ChainProgress& chain = monitor_.chain[c];
      const auto gained = static_cast<double>(chain.gradients.load() - earlier_->gradients[c]);
      view.chains.push_back(
          {.number = static_cast<Index>(c) + 1,
           .done = done(chain.iteration),
           .acceptance = chain.acceptance,
           .ess = estimates.chain_ess[c],
           .divergences = chain.divergences,
           .gradients_per_second = gained / std::max(elapsed - earlier_->seconds, kShortest),
           .step = chain.step,
           .log_determinant = chain.log_determinant,
           .is_stuck = is_stuck(chain)});
    }
  }

  /// "at most 40 s": a warm-up that may end before its most.
  std::string time_left(const Estimates& estimates, double elapsed) {
    Index behind = monitor_.chain.front().iteration;
    for (const ChainProgress& chain : monitor_.chain) {
      behind = std::min(behind, chain.iteration.load());
    }
    const Index warmup = monitor_.warmup;
    const double left = time_left_.estimate(behind, warmup, estimates.worst_ess, elapsed);
    const bool bound =
        warmup < 0 && std::isfinite(left) &&
        std::ranges::any_of(plan_.stages, [](const Stage& s) { return bool(s.meeting); });
    return fmt::format("{}{}", bound ? "at most " : "", time_text(left));
  }

  std::vector<Index> gradients() const {
    std::vector<Index> result;
    for (const ChainProgress& chain : monitor_.chain) result.push_back(chain.gradients);
    return result;
  }

  const Monitor& monitor_;
  const RunPlan& plan_;
  const LiveEstimates& estimates_;
  TroubleWatch trouble_;
  TimeLeft time_left_;
  bool terminal_;
  Clock::time_point begin_ = Clock::now();
  double next_plain_ = kPlainPeriod;
  RedrawnLines lines_;

  /// At the first look: a resumed run has gradients that cost this process no time.
  struct Earlier {
    double seconds;
    std::vector<Index> gradients;
  };
  std::optional<Earlier> earlier_;
};

}  // namespace

std::string warmup_text(const RunPlan& plan, Index stage) {
  const std::string& name = plan.stages.at(static_cast<std::size_t>(stage)).name;
  return name == "warm-up" ? name : fmt::format("warm-up ({})", name);
}

Progress::Progress(const Monitor& monitor, const RunPlan& plan, const LiveEstimates* estimates) {
  if (estimates == nullptr) return;
  // A million chains take memory to look at: the lack of it is for the run to report.
  const auto paint = [&monitor, &plan, estimates](const std::stop_token& stop) {
    try {
      Painter(monitor, plan, *estimates).run(stop);
    } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
    }
  };
  try {
    painter_ = std::jthread(paint);
  } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch): no thread, no view
  }
}

Progress::~Progress() {
  if (painter_.joinable()) {
    painter_.request_stop();
    painter_.join();
  }
}

}  // namespace gadwall::app
