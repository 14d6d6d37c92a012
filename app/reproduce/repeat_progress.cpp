// Lines about repeats, and the signal that stops them.
#include "reproduce/repeat_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>

#include "messages.hpp"
#include "progress.hpp"
#include "threads/start_thread.hpp"

namespace gadwall::app::reproduce {
namespace {

constexpr std::chrono::milliseconds kPeriod{200};
constexpr std::chrono::seconds kPlainPeriod{60};
constexpr std::size_t kMostLines = 16;  // more repeats than this would scroll a small terminal

std::string title(const RepeatPlan& plan) {
  return fmt::format("{} {} {}", plan.experiment->name, plan.method().name, plan.number);
}

double share_done(const RepeatPlan& plan, const Monitor& monitor) {
  const Method& method = plan.method();
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
      watcher_(start_thread<std::jthread>([this](const std::stop_token& over) { watch(over); })) {}

ReproduceProgress::~ReproduceProgress() {
  watcher_.request_stop();
  watcher_.join();
  lines_.wipe();
}

void ReproduceProgress::begins(const RepeatPlan& plan, Monitor& monitor) {
  const std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [&](const RepeatPlan& other) { return other.name() == plan.name(); });
  running_.push_back({plan, &monitor});
}

void ReproduceProgress::ends(const RepeatPlan& plan, const std::optional<Repeat>& repeat) {
  const std::lock_guard lock(mutex_);
  std::erase_if(running_, [&](const Running& other) { return other.plan.name() == plan.name(); });
  if (!repeat) return;
  work_.learn(*repeat);
  ++done_;
  if (style_.quiet) return;
  lines_.wipe();
  tell(fmt::format("{}: {:.3g} s, acceptance {:.3f}, min ESS {:.4g}; {}\n", title(plan),
                   repeat->seconds, repeat->acceptance, repeat->ess.min, overall()));
  said_ = std::chrono::steady_clock::now();
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
    if (!style_.quiet && !running_.empty()) show();
  }
}

void ReproduceProgress::show() {
  const auto now = std::chrono::steady_clock::now();
  if (terminal_) {
    paint();
  } else if (now - said_ >= kPlainPeriod) {
    const Running& first = running_.front();
    tell(fmt::format("{} {:.0f} %; {}\n", title(first.plan),
                     100 * share_done(first.plan, *first.monitor), overall()));
    said_ = now;
  }
}

/// The run as a whole last; where there is no room for all repeats, the first.
void ReproduceProgress::paint() {
  const TerminalSize size = terminal_size(STDERR_FILENO);
  const std::size_t most = std::min({running_.size(), kMostLines, redrawable_lines(size) - 1});
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < most; ++i) {
    const Running& running = running_[i];
    lines.push_back(fmt::format("{} {:.0f} %", title(running.plan),
                                100 * share_done(running.plan, *running.monitor)));
  }
  lines.push_back(overall());
  lines_.show(lines, size);
}

std::string ReproduceProgress::overall() const {
  return fmt::format("{} of {} done, {} left", done_, count_, time_text(seconds_left()));
}

double ReproduceProgress::seconds_left() const {
  double seconds = 0;
  for (const RepeatPlan& plan : waiting_) seconds += work_.seconds(plan);
  for (const Running& running : running_) {
    seconds += work_.seconds(running.plan) * (1 - share_done(running.plan, *running.monitor));
  }
  return seconds / style_.threads;
}

}  // namespace gadwall::app::reproduce
