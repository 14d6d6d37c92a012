#include "run/watch.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <mutex>

#include "threads/start_thread.hpp"

namespace gadwall {
namespace {

std::atomic<int> interrupts{0};
static_assert(std::atomic<int>::is_always_lock_free);  // a signal handler writes it

void count_interrupt(int) {
  ++interrupts;
}

/// What Ctrl-C did before the first of the watches that live.
struct Before {
  std::mutex mutex;
  int watches = 0;
  struct sigaction action = {};
};

Before& before() {
  static Before kept;
  return kept;
}

void take_interrupts() {
  const std::lock_guard lock(before().mutex);
  struct sigaction ours = {};
  ours.sa_handler = count_interrupt;
  ours.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);  // a second one is not ours
  if (before().watches++ == 0) {
    sigaction(SIGINT, &ours, &before().action);
  } else {
    sigaction(SIGINT, &ours, nullptr);
  }
}

void give_interrupts_back() {
  const std::lock_guard lock(before().mutex);
  if (--before().watches == 0) sigaction(SIGINT, &before().action, nullptr);
}

}  // namespace

std::string progress_line(const RunPlan& plan, const Monitor& monitor) {
  Index iteration = monitor.chain.front().iteration, divergences = 0;
  double acceptance = 0;
  for (const ChainProgress& chain : monitor.chain) {
    iteration = std::min<Index>(iteration, chain.iteration);
    divergences += chain.divergences;
    acceptance += chain.acceptance / static_cast<double>(monitor.chain.size());
  }
  const Index warmup = monitor.warmup;
  const std::string where =
      warmup >= 0 ? fmt::format("sampling {} / {}",
                                std::max<Index>(0, iteration - warmup) / plan.run.thin, plan.draws)
                  : fmt::format("{} {} / {}",
                                plan.stages[static_cast<std::size_t>(monitor.stage.load())].name,
                                iteration, plan.warmup);
  return fmt::format("{}  {} chains  acceptance {:.2f}  divergences {}", where, plan.run.chains,
                     acceptance, divergences);
}

Watch::Watch(const RunPlan& plan, Monitor& monitor, const SampleOptions& options)
    : shows_(options.progress),
      stops_(options.stop_on_interrupt),
      interrupts_before_(interrupts.load()) {
  if (stops_) take_interrupts();
  if (!shows_ && !stops_) return;
  thread_ = start_thread<std::thread>([this, &plan, &monitor] {
    do {
      look(plan, monitor);
    } while (!over_);
  });
}

Watch::~Watch() {
  over_ = true;
  if (thread_.joinable()) thread_.join();
  if (shows_) std::fputs("\r\033[2K", stderr);
  if (stops_) give_interrupts_back();
}

/// Shows the line, then looks for Ctrl-C for a fifth of a second.
void Watch::look(const RunPlan& plan, Monitor& monitor) const {
  using namespace std::chrono_literals;
  if (shows_) {
    std::fputs(("\r\033[2K" + progress_line(plan, monitor)).c_str(), stderr);
    std::fflush(stderr);
  }
  for (int i = 0; i < 20 && !over_; ++i) {
    if (stops_ && interrupts != interrupts_before_) monitor.stop = true;
    std::this_thread::sleep_for(10ms);
  }
}

}  // namespace gadwall
