#include "c/run_thread.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "gadwall/error.hpp"
#include "threads/start_thread.hpp"

namespace gadwall::c {
namespace {

using Clock = std::chrono::steady_clock;

/// Takes nothing that was made after a callback had asked for the end.
class GuardedSink final : public Sink {
 public:
  GuardedSink(Sink& sink, const WatchedTarget& target) : sink_(sink), target_(target) {}

  void begin_sampling(Index chain, const Tuning& tuning) override {
    check();
    sink_.begin_sampling(chain, tuning);
  }
  void write(Index chain, const DrawStatistics& statistics, ConstVectorRef values) override {
    check();
    sink_.write(chain, statistics, values);
  }
  void write_warmup(Index chain, const DrawStatistics& statistics, ConstVectorRef values) override {
    check();
    sink_.write_warmup(chain, statistics, values);
  }
  void flush() override {
    check();
    sink_.flush();
  }
  Draws so_far() override { return sink_.so_far(); }

 private:
  void check() const {
    if (target_.has_failed()) throw StopAsked{};
  }

  Sink& sink_;
  const WatchedTarget& target_;
};

Index behind(const Monitor& monitor) {
  Index least = std::numeric_limits<Index>::max();
  for (const ChainProgress& chain : monitor.chain) least = std::min(least, chain.iteration.load());
  return least;
}

}  // namespace

RunThread::RunThread(Beginning beginning) : beginning_(std::move(beginning)) {
  prepare(Is::new_run);
  if (words_.files.name.empty()) {
    begin_in_memory(std::make_shared<MemoryDraws>(*plan_), {});
  } else {
    begin(std::make_unique<files::RunFiles>(
        *plan_, words_.files, files::RunOrigin{to_arguments(beginning_.words), {}}, watchers()));
  }
}

RunThread::RunThread(Beginning beginning, const Rest& rest) : beginning_(std::move(beginning)) {
  prepare(Is::gone_on_with);
  begin_in_memory(std::make_shared<MemoryDraws>(*rest.draws), rest.state.bytes);
}

RunThread::RunThread(Beginning beginning, files::StoppedRun stopped)
    : beginning_(std::move(beginning)) {
  prepare(Is::gone_on_with);
  for (const std::string& warning : stopped.warnings) messages_.push_back(warning);
  begin(std::make_unique<files::RunFiles>(*plan_, words_.files, std::move(stopped),
                                          files::RunOrigin{to_arguments(beginning_.words), {}},
                                          watchers()));
}

RunThread::~RunThread() {
  if (!thread_.joinable()) return;
  stop();
  thread_.join();
}

void RunThread::prepare(Is which) {
  words_ = read_words(beginning_.words);
  words_.request.goes_on = which == Is::gone_on_with;
  target_ = std::make_shared<WatchedTarget>(beginning_.model.target);
  if (beginning_.points) {
    RunOptions& run = words_.request.run;
    run.start = given_start(*beginning_.points, run.chain_offset);
  }
  plan_ = std::make_unique<RunPlan>(session::make_plan(words_.request, target_));
  monitor_ = std::make_unique<Monitor>(plan_->run.chains);
  target_->when_failed([this] { stop(); });
  estimates_ = std::make_shared<session::LiveEstimates>(*plan_);
  time_left_ = std::make_unique<session::TimeLeft>(*plan_);
  trouble_ = std::make_unique<session::TroubleWatch>(*plan_);
  words_.files.target = beginning_.model.title;
  words_.files.target_settings = beginning_.model.settings;
}

files::DrawWriters RunThread::watchers() {
  files::DrawWriters writers;
  writers.push_back(std::make_unique<SharedWriter>(estimates_));
  return writers;
}

void RunThread::begin(std::unique_ptr<files::RunFiles> files) {
  files_ = std::move(files);
  name_ = files_->name();
  launch();
}

void RunThread::begin_in_memory(std::shared_ptr<MemoryDraws> draws, std::string state) {
  memory_ = std::move(draws);
  first_state_ = std::move(state);
  files::DrawWriters writers = watchers();
  writers.push_back(std::make_unique<SharedWriter>(memory_));
  sink_ = std::make_unique<files::QueuedSink>(*plan_, std::move(writers),
                                              [this] { return memory_->so_far(); });
  launch();
}

void RunThread::launch() {
  begin_ = Clock::now();
  thread_ = start_thread<std::thread>([this] { work(); });
}

RunOutcome RunThread::carry_out() {
  GuardedSink sink(files_ ? files_->sink() : *sink_, *target_);
  Restart restart;
  if (files_) {
    restart = files_->restart();
  } else {
    restart.state = std::move(first_state_);
    restart.save = [this](const RunState& state) { last_state_ = {state.bytes(), state.rows}; };
    restart.period_seconds = std::numeric_limits<double>::infinity();
  }
  RunOutcome outcome = run(*plan_, sink, *monitor_, restart);
  if (target_->has_failed()) throw StopAsked{};
  if (files_) {
    files_->finish(outcome);
  } else {
    sink_->finish(outcome);
  }
  return outcome;
}

void RunThread::work() noexcept {
  Failure failure;
  RunOutcome outcome;
  try {
    outcome = carry_out();
  } catch (...) {
    failure = failure_of(std::current_exception());
    // Whatever followed from it: "no finite start", say.
    if (target_->has_failed()) failure = failure_of(std::make_exception_ptr(StopAsked{}));
  }
  files_.reset();  // others may now take the run up
  const std::lock_guard lock(mutex_);
  failure_ = std::move(failure);
  seconds_ = elapsed();
  if (outcome.exceptions > 0) {
    last_words_.push_back(fmt::format("the density failed at {} point{}, rejected; the first: {}",
                                      outcome.exceptions, outcome.exceptions == 1 ? "" : "s",
                                      fmt::join(outcome.first_exceptions, "; ")));
  }
  if (failure_.status == GADWALL_OK) {
    facts_ = std::move(outcome.facts);
    facts_->target = beginning_.model.title;
    facts_->target_settings = beginning_.model.settings;
    learnt_ = std::move(outcome.learnt);
  }
  has_ended_ = true;
  ended_.notify_all();
}

bool RunThread::has_ended() const {
  const std::lock_guard lock(mutex_);
  return has_ended_;
}

bool RunThread::wait(double seconds) {
  std::unique_lock lock(mutex_);
  const auto over = [this] { return has_ended_; };
  constexpr double kLongest = 1e8;  // three years; more would overflow the clock
  if (seconds < 0 || seconds > kLongest) {
    ended_.wait(lock, over);
    return true;
  }
  return ended_.wait_for(lock, std::chrono::duration<double>(seconds), over);
}

double RunThread::elapsed() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

Index RunThread::draws_of_each() const {
  const Index warmup = monitor_->warmup;
  return warmup >= 0 ? std::max<Index>(0, behind(*monitor_) - warmup) / plan_->run.thin : 0;
}

gadwall_progress RunThread::progress() {
  const std::lock_guard looking(looking_);
  const bool over = has_ended();
  gadwall_progress p{};
  const Index iteration = behind(*monitor_);
  const Index warmup = monitor_->warmup;
  const session::Estimates estimates = estimates_->now();
  p.status = over ? failure_.status : GADWALL_RUNNING;
  p.sampling = warmup >= 0 ? 1 : 0;
  p.stage = plan_->stages[static_cast<std::size_t>(monitor_->stage.load())].name.c_str();
  p.chains = plan_->run.chains;
  p.iteration = iteration;
  p.warmup = warmup >= 0 ? warmup : plan_->warmup;
  p.draws = draws_of_each();
  p.draws_wanted = plan_->draws;
  for (const ChainProgress& chain : monitor_->chain) {
    p.divergences += chain.divergences;
    p.gradients += chain.gradients;
  }
  p.ess = estimates.worst_ess;
  p.rhat = estimates.rhat;
  p.seconds = over ? seconds_ : elapsed();
  p.seconds_left =
      over ? 0 : time_left_->estimate(iteration, warmup, estimates.worst_ess, p.seconds);
  return p;
}

void RunThread::say_trouble() {
  for (const std::string& line : trouble_->look(*monitor_, estimates_->now())) {
    messages_.push_back(line);
  }
  const std::lock_guard lock(mutex_);
  for (std::string& line : last_words_) messages_.push_back(std::move(line));
  last_words_.clear();
}

std::optional<std::string> RunThread::next_message() {
  const std::lock_guard looking(looking_);
  if (messages_.empty()) say_trouble();
  if (messages_.empty()) return std::nullopt;
  std::string first = std::move(messages_.front());
  messages_.pop_front();
  return first;
}

Draws RunThread::draws() {
  if (!memory_) return files::read(name_ + ".nc");
  Draws draws = memory_->so_far();
  // The first that the progress counts may still be on its way through the queue, which takes
  // a second at most, or as long as a chain's next draw.
  for (int i = 0; i < 2000 && draws.draws() == 0 && draws_of_each() > 0 && !has_ended(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    draws = memory_->so_far();
  }
  if (draws.draws() == 0) throw UsageError("there are no draws yet: the run is in warm-up");
  const std::lock_guard lock(mutex_);
  draws.learnt = learnt_;
  if (facts_) {
    draws.facts = *facts_;
  } else {
    static_cast<PlannedFacts&>(draws.facts) = plan_->facts();
  }
  draws.facts.target = beginning_.model.title;
  draws.facts.draws = draws.draws();
  return draws;
}

Rest RunThread::rest() const {
  const std::lock_guard lock(mutex_);
  if (failure_.status != GADWALL_OK || last_state_.bytes.empty()) {
    throw UsageError("the run failed, so it cannot go on");
  }
  return {last_state_, memory_};
}

}  // namespace gadwall::c
