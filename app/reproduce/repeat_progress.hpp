// How a reproduction is doing, on stderr: a line when a repeat is done; while repeats run, lines
// that are redrawn on a terminal, and elsewhere one per minute.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "redrawn_lines.hpp"
#include "reproduce/reproduction.hpp"
#include "reproduce/work_left.hpp"

namespace gadwall::app::reproduce {

class ReproduceProgress final : public ReproductionObserver {
 public:
  struct Style {
    int threads = 1;
    bool quiet = false;
  };

  /// `stop` ends the repeats that run.
  ReproduceProgress(std::vector<RepeatPlan> plans, const std::atomic<bool>& stop, Style style);
  ~ReproduceProgress() override;

  void begins(const RepeatPlan& plan, Monitor& monitor) override;
  void ends(const RepeatPlan& plan, const std::optional<Repeat>& repeat) override;
  bool is_stopped() const override { return stop_; }

 private:
  struct Running {
    RepeatPlan plan;
    Monitor* monitor;
  };

  void watch(const std::stop_token& stop);
  void show();
  void paint();
  std::string overall() const;
  double seconds_left() const;

  std::vector<RepeatPlan> waiting_;  // the next one first
  std::vector<Running> running_;
  std::size_t count_;
  std::size_t done_ = 0;
  WorkLeft work_;
  const std::atomic<bool>& stop_;
  Style style_;
  bool terminal_;
  RedrawnLines lines_;
  std::chrono::steady_clock::time_point said_ = std::chrono::steady_clock::now();  // the last line
  std::mutex mutex_;
  std::jthread watcher_;
};

}  // namespace gadwall::app::reproduce
