// Lines about repeats, and the signal that stops them.
#include "reproduce_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>

#include "progress.hpp"

namespace gadwall::app {
namespace {

constexpr std::chrono::milliseconds kPeriod{200};

bool is_same(const RepeatPlan& a, const RepeatPlan& b) {
  return a.experiment == b.experiment && a.number == b.number &&
         a.trial.method.name == b.trial.method.name;
}

std::string title(const RepeatPlan& plan) {
  return fmt::format("{} {} {}", plan.experiment->name, plan.trial.method.name, plan.number);
}

double share_done(const RepeatPlan& plan, const Monitor& monitor) {
  const Method& method = plan.trial.method;
  return static_cast<double>(monitor.chain.front().iteration.load()) /
         static_cast<double>(method.warmup + method.draws);
}

}  // namespace

ReproduceProgress::ReproduceProgress(std::vector<RepeatPlan> plans, const std::atomic<bool>& stop,
                                     Style style)
    : waiting_(std::move(plans)),
      count_(waiting_.size()),
      stop_(stop),
      style_(style),
      terminal_(isatty(STDERR_FILENO) != 0),
      watcher_([this](const std::stop_token& over) { watch(over); }) {}

ReproduceProgress::~ReproduceProgress() {
  watcher_.request_stop();
  watcher_.join();
  wipe();
}

void ReproduceProgress::begins(const RepeatPlan& plan, Monitor& monitor) {
  const std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [&](const RepeatPlan& other) { return is_same(other, plan); });
  running_.push_back({plan, &monitor});
}

void ReproduceProgress::ends(const RepeatPlan& plan, const std::optional<Repeat>& repeat) {
  const std::lock_guard lock(mutex_);
  std::erase_if(running_, [&](const Running& other) { return is_same(other.plan, plan); });
  if (!repeat) return;
  work_.learn(*repeat);
  ++done_;
  if (style_.quiet) return;
  wipe();
  fmt::print(stderr, "{}: {:.3g} s, acceptance {:.3f}, min ESS {:.4g}; {} of {} done, {} left\n",
             title(plan), repeat->seconds, repeat->acceptance, repeat->ess.min, done_, count_,
             time_text(seconds_left()));
}

/// Passes a signal on to the repeats that run, and paints.
void ReproduceProgress::watch(const std::stop_token& over) {
  std::mutex mutex;
  std::condition_variable_any wake;
  while (!over.stop_requested()) {
    std::unique_lock waiting(mutex);
    wake.wait_for(waiting, over, kPeriod, [] { return false; });
    const std::lock_guard lock(mutex_);
    if (stop_) {
      for (const Running& running : running_) running.monitor->stop = true;
    }
    if (terminal_ && !style_.quiet) paint();
  }
}

void ReproduceProgress::paint() {
  std::string text;
  for (const Running& running : running_) {
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", title(running.plan),
                        100 * share_done(running.plan, *running.monitor));
  }
  wipe();
  fmt::print(stderr, "{}; {} of {} done, {} left", text, done_, count_, time_text(seconds_left()));
  std::fflush(stderr);
  painted_ = true;
}

void ReproduceProgress::wipe() {
  if (painted_) fmt::print(stderr, "\r\033[2K");
  painted_ = false;
}

double ReproduceProgress::seconds_left() const {
  double seconds = 0;
  for (const RepeatPlan& plan : waiting_) seconds += work_.seconds(plan);
  for (const Running& running : running_) {
    seconds += work_.seconds(running.plan) * (1 - share_done(running.plan, *running.monitor));
  }
  return seconds / style_.threads;
}

}  // namespace gadwall::app
