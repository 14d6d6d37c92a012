// A run in a thread of its own: started, watched, stopped, gone on with.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "c/memory_draws.hpp"
#include "c/model.hpp"
#include "c/status.hpp"
#include "c/words.hpp"
#include "files/run_files.hpp"
#include "gadwall/run.hpp"
#include "session/live_estimates.hpp"
#include "session/time_left.hpp"
#include "session/trouble.hpp"

namespace gadwall::c {

/// What a run is begun with.
struct Beginning {
  gadwall_model model;           // shares the target
  Words words;                   // of all its options
  std::optional<Matrix> points;  // where the chains begin: dim x chains
};

/// A RunState in memory: its own writes from the run, which is gone by then.
struct KeptState {
  std::string bytes;
  RowsKept rows;
};

/// What a run in memory leaves for one that goes on with it.
struct Rest {
  KeptState state;
  std::shared_ptr<const MemoryDraws> draws;
};

class RunThread {
 public:
  /// UsageError where something does not fit.
  explicit RunThread(Beginning beginning);
  RunThread(Beginning beginning, const Rest& rest);
  RunThread(Beginning beginning, files::StoppedRun stopped);
  ~RunThread();  // stops the run
  RunThread(const RunThread&) = delete;
  RunThread& operator=(const RunThread&) = delete;

  const Beginning& beginning() const { return beginning_; }
  const std::string& name() const { return name_; }  // of the files; empty: in memory

  void stop() { monitor_->stop = true; }
  /// Whether the run has ended; seconds < 0: waits for that.
  bool wait(double seconds);
  /// Of a run that has ended.
  const Failure& failure() const { return failure_; }

  gadwall_progress progress();
  std::optional<std::string> next_message();

  /// UsageError where there are none yet.
  Draws draws();

  /// Of a run in memory that has ended; UsageError where it failed.
  Rest rest() const;

 private:
  enum class Is { new_run, gone_on_with };
  void prepare(Is which);
  void begin(std::unique_ptr<files::RunFiles> files);
  void begin_in_memory(std::shared_ptr<MemoryDraws> draws, std::string state);
  files::DrawWriters watchers();
  void launch();
  void work() noexcept;
  RunOutcome carry_out();
  void keep_in_memory(RunOutcome outcome);
  void say_trouble();
  bool has_ended() const;
  double elapsed() const;
  Index draws_of_each() const;  // of every chain, so far

  Beginning beginning_;
  RunWords words_;
  std::string name_;
  std::shared_ptr<WatchedTarget> target_;
  std::unique_ptr<RunPlan> plan_;
  std::unique_ptr<Monitor> monitor_;
  std::shared_ptr<session::LiveEstimates> estimates_;
  std::unique_ptr<files::RunFiles> files_;  // or
  std::shared_ptr<MemoryDraws> memory_;     // both of
  std::unique_ptr<files::QueuedSink> sink_;
  std::string first_state_;  // of a run that goes on in memory
  KeptState last_state_;
  std::mutex looking_;  // of what follows, up to the messages
  std::unique_ptr<session::TimeLeft> time_left_;
  std::unique_ptr<session::TroubleWatch> trouble_;
  std::deque<std::string> messages_;
  std::chrono::steady_clock::time_point begin_;

  mutable std::mutex mutex_;  // of what follows
  std::condition_variable ended_;
  bool has_ended_ = false;
  double seconds_ = 0;  // when it had
  Failure failure_;
  std::optional<RunFacts> facts_;  // of a run that has ended
  std::vector<Learnt> learnt_;
  std::vector<std::string> last_words_;  // messages of the thread
  std::thread thread_;
};

}  // namespace gadwall::c

struct gadwall_run {
  std::unique_ptr<gadwall::c::RunThread> thread;
  std::string message;  // the last that was asked for
};
