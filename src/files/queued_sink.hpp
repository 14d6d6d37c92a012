// Writing beside sampling: chains fill blocks, one thread takes them to the writers. A run that is
// over in a moment needs no such thread: whoever waits for the writers does their work.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "files/draw_writer.hpp"

namespace gadwall::files {

/// Memory is constant: where the writers do not keep up, the chains wait. A failed write ends the
/// run at the next draw.
class QueuedSink final : public Sink {
 public:
  using ReadBack = std::function<Draws()>;

  /// read_back: the draws so far. All writers have them when it is asked, and nothing to do.
  QueuedSink(const RunPlan& plan, std::vector<std::unique_ptr<DrawWriter>> writers,
             ReadBack read_back);
  ~QueuedSink() override;

  void begin_sampling(Index chain, const Tuning& tuning) override;
  void write(Index chain, const DrawStatistics& statistics, ConstVectorRef values) override;
  void write_warmup(Index chain, const DrawStatistics& statistics, ConstVectorRef values) override;
  void flush() override;
  Draws so_far() override;
  void summarised(const Summary& summary) override;

  /// The last that was made of the draws so far; null where there is none.
  const std::shared_ptr<const Summary>& last_summary() const { return last_summary_; }

  /// The closing parts of the files.
  void finish(const RunOutcome& outcome);

 private:
  using Task = std::function<void()>;
  using Block = std::unique_ptr<ChainBlock>;

  void add(Index chain, bool warmup, const DrawStatistics& statistics, ConstVectorRef values);
  void hand_over(Index chain);
  void hand_over_all();
  void submit(Task task);
  void wait_until_idle();
  void do_for_all(const std::function<void(DrawWriter&)>& what);
  Block free_block();
  bool is_long() const;
  void start_writer();
  void carry_out_waiting(std::unique_lock<std::mutex>& lock);
  void carry_out_next(std::unique_lock<std::mutex>& lock);
  void work(const std::stop_token& stop);
  void carry_out(const Task& task) noexcept;

  std::vector<std::unique_ptr<DrawWriter>> writers_;
  ReadBack read_back_;
  std::shared_ptr<const Summary> last_summary_;
  Index values_;                         // of a draw
  Index statistics_;                     // likewise
  Index lanes_;                          // of a batch
  Index block_draws_;                    // capacity of a block
  std::vector<Block> filling_;           // by chain; null where there is none
  std::vector<unsigned> filling_since_;  // by chain: the tick at which its block began
  std::atomic<unsigned> tick_{0};        // a block that is older than this goes on, full or not

  std::mutex mutex_;
  std::condition_variable_any has_work_;
  std::condition_variable has_room_;
  std::deque<Task> queue_;
  std::vector<Block> free_;
  bool busy_ = false;
  std::exception_ptr failure_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::atomic<bool> has_writer_{false};
  std::jthread writer_;  // last: it uses all of the above; started when the run is long
};

}  // namespace gadwall::files
