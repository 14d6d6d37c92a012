#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <optional>

#include "messages.hpp"
#include "session/trouble.hpp"

namespace gadwall::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPeriod{200};
constexpr double kPlainPeriod = 10;     // seconds
constexpr double kShortest = 1e-3;      // seconds: at the first look no time has passed
constexpr std::size_t kMostLines = 16;  // more chains than this would scroll a small terminal

std::string ess_text(double ess) {
  return std::isnan(ess) ? "-" : fmt::format("{:.0f}", ess);
}

std::string rhat_text(double rhat) {
  return std::isnan(rhat) ? "-" : fmt::format("{:.3f}", rhat);
}

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
      wake.wait_for(lock, stop, kPeriod, [] { return false; });
      if (!stop.stop_requested()) paint();
    }
    say_trouble(estimates_.now());
    wipe();
  }

 private:
  void paint() {
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
    const Estimates estimates = estimates_.now();
    say_trouble(estimates);
    const std::string line = overall(estimates, elapsed);  // also unseen: it learns the time left
    if (terminal_) {
      paint_lines(estimates, elapsed, line);
    } else if (elapsed >= next_plain_) {
      next_plain_ += kPlainPeriod;
      tell(line + "\n");
    }
  }

  void say_trouble(const Estimates& estimates) {
    for (const std::string& line : trouble_.look(monitor_, estimates)) {
      wipe();
      warn({line});
    }
  }

  void paint_lines(const Estimates& estimates, double elapsed, const std::string& last) {
    const std::size_t lines = std::min(monitor_.chain.size(), kMostLines);
    if (!earlier_) earlier_ = Earlier{elapsed, gradients()};
    std::string text = drawn_ > 0 ? fmt::format("\033[{}A", drawn_) : "";
    for (std::size_t c = 0; c < lines; ++c) {
      const ChainProgress& chain = monitor_.chain[c];
      const auto gained = static_cast<double>(chain.gradients.load() - earlier_->gradients[c]);
      const double rate = gained / std::max(elapsed - earlier_->seconds, kShortest);
      text += "\033[2K" + chain_line(static_cast<Index>(c), chain, plan_, monitor_.warmup, rate) +
              fmt::format("  ESS {:>6}\n", ess_text(estimates.chain_ess[c]));
    }
    text += "\033[2K" + last + "\n";
    tell(text);
    drawn_ = lines + 1;
  }

  std::vector<Index> gradients() const {
    std::vector<Index> result;
    for (const ChainProgress& chain : monitor_.chain) result.push_back(chain.gradients);
    return result;
  }

  void wipe() {
    if (drawn_ > 0) tell(fmt::format("\033[{}A\033[J", drawn_));
    drawn_ = 0;
  }

  /// "sampling 1200 / 20000  worst ESS 85 (x.3)  R-hat 1.021  divergences 0  41 s left"
  std::string overall(const Estimates& estimates, double elapsed) {
    Index behind = monitor_.chain.front().iteration;
    Index divergences = 0;
    for (const ChainProgress& chain : monitor_.chain) {
      behind = std::min(behind, chain.iteration.load());
      divergences += chain.divergences;
    }
    const Index warmup = monitor_.warmup;
    const double left = time_left_.estimate(behind, warmup, estimates.worst_ess, elapsed);
    const std::string where =
        warmup < 0 ? fmt::format("{} {} / {}{}", warmup_text(plan_, monitor_.stage), behind,
                                 plan_.run.warmup_settles ? "at most " : "", plan_.warmup)
                   : fmt::format("sampling {} / {}{}", (behind - warmup) / plan_.run.thin,
                                 plan_.run.until_ess > 0 ? "at most " : "", plan_.draws);
    const std::string worst =
        std::isnan(estimates.worst_ess)
            ? "-"
            : fmt::format("{:.0f} ({})", estimates.worst_ess, estimates.worst_name);
    return fmt::format("{}  worst ESS {}  R-hat {}  divergences {}  {} left", where, worst,
                       rhat_text(estimates.rhat), divergences, time_text(left));
  }

  const Monitor& monitor_;
  const RunPlan& plan_;
  const LiveEstimates& estimates_;
  TroubleWatch trouble_;
  TimeLeft time_left_;
  bool terminal_;
  Clock::time_point begin_ = Clock::now();
  double next_plain_ = kPlainPeriod;
  std::size_t drawn_ = 0;  // lines on the terminal

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

std::string chain_line(Index chain, const ChainProgress& progress, const RunPlan& plan,
                       Index warmup, double gradients_per_second) {
  const bool warming = warmup < 0;
  const Index done = progress.iteration;
  return fmt::format(
      "chain {:<3} {:<8} {:>8} / {:<8} accept {:.3f}  step {:<8.3g} log|L| {:<8.4g} {:>7.3g} "
      "grad/s "
      " div {}",
      chain + 1, warming ? "warm-up" : "sampling",
      warming ? done : std::max<Index>(0, done - warmup) / plan.run.thin,
      warming ? plan.warmup : plan.draws, progress.acceptance.load(), progress.step.load(),
      progress.log_determinant.load(), gradients_per_second, progress.divergences.load());
}

Progress::Progress(const Monitor& monitor, const RunPlan& plan, const LiveEstimates* estimates) {
  if (estimates == nullptr) return;
  painter_ = std::jthread([&monitor, &plan, estimates](const std::stop_token& stop) {
    Painter(monitor, plan, *estimates).run(stop);
  });
}

Progress::~Progress() {
  if (painter_.joinable()) {
    painter_.request_stop();
    painter_.join();
  }
}

}  // namespace gadwall::app
