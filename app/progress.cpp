// Progress lines on a terminal.
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>

namespace gadwall::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPeriod{200};
constexpr std::size_t kMostLines = 16;  // more chains than this would scroll a small terminal

std::string time_text(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

void paint(const std::stop_token& stop, const Monitor& monitor, Index warmup, Index draws) {
  const auto begin = Clock::now();
  const std::size_t lines = std::min(monitor.chain.size(), kMostLines);
  std::mutex mutex;
  std::condition_variable_any wake;
  bool drawn = false;
  while (!stop.stop_requested()) {
    std::unique_lock lock(mutex);
    wake.wait_for(lock, stop, kPeriod, [] { return false; });
    if (stop.stop_requested()) break;
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    std::string text = drawn ? fmt::format("\033[{}A", lines) : "";
    for (std::size_t c = 0; c < lines; ++c) {
      text += "\033[2K" +
              progress_line(static_cast<Index>(c), monitor.chain[c], warmup, draws, elapsed) + "\n";
    }
    fmt::print(stderr, "{}", text);
    drawn = true;
  }
  if (drawn) fmt::print(stderr, "\033[{}A\033[J", lines);
}

}  // namespace

Progress::Progress(const Monitor& monitor, Index warmup, Index draws, bool quiet) {
  if (quiet || isatty(STDERR_FILENO) == 0) return;
  painter_ = std::jthread([&monitor, warmup, draws](const std::stop_token& stop) {
    paint(stop, monitor, warmup, draws);
  });
}

Progress::~Progress() {
  if (painter_.joinable()) {
    painter_.request_stop();
    painter_.join();
  }
}

std::string progress_line(Index chain, const ChainProgress& progress, Index warmup, Index draws,
                          double elapsed_seconds) {
  const Index done = progress.iteration.load(std::memory_order_relaxed);
  const Index total = warmup + draws;
  const bool warming = done < warmup;
  const std::string left = done == 0
                               ? "?"
                               : time_text(elapsed_seconds * static_cast<double>(total - done) /
                                           static_cast<double>(done));
  return fmt::format("chain {:<3} {:<8} {:>8} / {:<8} accept {:.3f}  {} left", chain + 1,
                     warming ? "warm-up" : "sampling", warming ? done : done - warmup,
                     warming ? warmup : draws, progress.acceptance.load(std::memory_order_relaxed),
                     left);
}

}  // namespace gadwall::app
