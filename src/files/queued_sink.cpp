// The queue between the chains and the writers of their draws.
#include "files/queued_sink.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "gadwall/summary.hpp"
#include "threads/start_thread.hpp"

namespace gadwall::files {
namespace {

constexpr Index kBlockBytes = 1 << 17;
constexpr std::size_t kMostWaiting = 64;         // blocks: 8 MB
constexpr std::chrono::milliseconds kTick{500};  // a slow chain's draws wait no longer in memory

}  // namespace

QueuedSink::QueuedSink(const RunPlan& plan, std::vector<std::unique_ptr<DrawWriter>> writers,
                       ReadBack read_back)
    : writers_(std::move(writers)),
      read_back_(std::move(read_back)),
      values_(static_cast<Index>(plan.output_names().size())),
      statistics_(static_cast<Index>(plan.statistics.size())),
      lanes_(plan.run.lanes),
      block_draws_(std::max<Index>(
          1, kBlockBytes / static_cast<Index>(sizeof(double)) / (values_ + statistics_))),
      filling_(static_cast<std::size_t>(plan.run.chains)),
      filling_since_(static_cast<std::size_t>(plan.run.chains), 0) {}

QueuedSink::~QueuedSink() {
  if (writer_.joinable()) {
    writer_.request_stop();
    writer_.join();
  } else {
    std::unique_lock lock(mutex_);
    carry_out_waiting(lock);
  }
  for (Block& block : filling_) {  // a run that failed keeps what it had
    if (block) carry_out([this, &block] { do_for_all([&](DrawWriter& w) { w.append(*block); }); });
  }
}

/// The lanes of a batch share their tuning: one copy, with the first of them.
void QueuedSink::begin_sampling(Index chain, const Tuning& tuning) {
  hand_over(chain);
  if (chain % lanes_ != 0) return;
  submit([this, batch = chain / lanes_, copy = std::make_shared<const Tuning>(tuning)] {
    do_for_all([&](DrawWriter& writer) { writer.begin_sampling(batch, copy); });
  });
}

void QueuedSink::write(Index chain, const DrawStatistics& statistics, ConstVectorRef values) {
  add(chain, false, statistics, values);
}

void QueuedSink::write_warmup(Index chain, const DrawStatistics& statistics,
                              ConstVectorRef values) {
  add(chain, true, statistics, values);
}

void QueuedSink::add(Index chain, bool warmup, const DrawStatistics& statistics,
                     ConstVectorRef values) {
  const auto c = static_cast<std::size_t>(chain);
  if (!has_writer_.load(std::memory_order_relaxed) && is_long()) {
    const std::lock_guard lock(mutex_);
    start_writer();
  }
  Block& block = filling_[c];
  const unsigned now = tick_.load(std::memory_order_relaxed);
  if (!block) {
    block = free_block();
    block->chain = chain;
    block->warmup = warmup;
    filling_since_[c] = now;
  }
  block->values.col(block->count) = values;
  block->statistics.col(block->count) = statistics;
  ++block->count;
  if (block->count == block->capacity() || filling_since_[c] != now) hand_over(chain);
}

void QueuedSink::hand_over(Index chain) {
  Block& filled = filling_[static_cast<std::size_t>(chain)];
  if (!filled) return;
  submit([this, block = std::make_shared<Block>(std::move(filled))] {
    do_for_all([&](DrawWriter& writer) { writer.append(**block); });
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(*block));
  });
}

void QueuedSink::hand_over_all() {
  for (Index c = 0; c < static_cast<Index>(filling_.size()); ++c) hand_over(c);
}

QueuedSink::Block QueuedSink::free_block() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) {
    auto block = std::make_unique<ChainBlock>();
    block->values.resize(values_, block_draws_);
    block->statistics.resize(statistics_, block_draws_);
    return block;
  }
  Block block = std::move(free_.back());
  free_.pop_back();
  block->count = 0;
  return block;
}

bool QueuedSink::is_long() const {
  return std::chrono::steady_clock::now() - begin_ > kTick;
}

/// The mutex is held.
void QueuedSink::start_writer() {
  if (writer_.joinable()) return;
  writer_ = start_thread<std::jthread>([this](const std::stop_token& stop) { work(stop); });
  has_writer_ = true;
}

void QueuedSink::submit(Task task) {
  std::unique_lock lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  queue_.push_back(std::move(task));  // first of all: what waits is not lost, whatever follows
  has_work_.notify_one();
  if (queue_.size() <= kMostWaiting) return;
  start_writer();
  has_room_.wait(lock, [this] { return queue_.size() <= kMostWaiting || failure_; });
  if (failure_) std::rethrow_exception(failure_);
}

void QueuedSink::wait_until_idle() {
  std::unique_lock lock(mutex_);
  if (!writer_.joinable()) carry_out_waiting(lock);
  has_room_.wait(lock, [this] { return (queue_.empty() && !busy_) || failure_; });
  if (failure_) std::rethrow_exception(failure_);
}

void QueuedSink::do_for_all(const std::function<void(DrawWriter&)>& what) {
  for (const auto& writer : writers_) what(*writer);
}

void QueuedSink::flush() {
  hand_over_all();
  submit([this] { do_for_all([](DrawWriter& writer) { writer.flush(); }); });
  wait_until_idle();
}

Draws QueuedSink::so_far() {
  hand_over_all();
  wait_until_idle();
  return read_back_();
}

void QueuedSink::summarised(const Summary& summary) {
  last_summary_ = std::make_shared<const Summary>(summary);
}

void QueuedSink::finish(const RunOutcome& outcome) {
  hand_over_all();
  submit([this, &outcome] { do_for_all([&](DrawWriter& writer) { writer.finish(outcome); }); });
  wait_until_idle();
}

void QueuedSink::work(const std::stop_token& stop) {
  auto last_tick = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  while (true) {
    has_work_.wait_for(lock, stop, kTick, [this] { return !queue_.empty(); });
    const auto now = std::chrono::steady_clock::now();
    if (now - last_tick >= kTick) {
      ++tick_;
      last_tick = now;
    }
    if (queue_.empty()) {
      if (stop.stop_requested()) return;
      continue;
    }
    busy_ = true;
    carry_out_next(lock);
    busy_ = false;
    has_room_.notify_all();
  }
}

/// Without a writer.
void QueuedSink::carry_out_waiting(std::unique_lock<std::mutex>& lock) {
  while (!queue_.empty()) carry_out_next(lock);
}

void QueuedSink::carry_out_next(std::unique_lock<std::mutex>& lock) {
  const Task task = std::move(queue_.front());
  queue_.pop_front();
  lock.unlock();
  carry_out(task);
  lock.lock();
}

/// After a failure nothing more is written: what is on disk stays as it was then.
void QueuedSink::carry_out(const Task& task) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (failure_) return;
  }
  try {
    task();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
  }
}

}  // namespace gadwall::files
