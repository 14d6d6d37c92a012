// The course of a run: legs in which the batches move, and rests between them, at which every chain
// has done the same number of iterations and what concerns all of them is decided.
#pragma once

#include <chrono>
#include <optional>

#include "meetings/settling.hpp"
#include "run/leg.hpp"
#include "run/stopping.hpp"

namespace gadwall {

class Course {
 public:
  Course(const RunPlan& plan, Sink& sink, Monitor& monitor, const Restart& restart);

  RunOutcome go();

 private:
  using Clock = std::chrono::steady_clock;

  Index iteration() const { return batches_.front()->iteration(); }
  bool is_warming() const { return iteration() < warmup_; }
  Index draws() const { return is_warming() ? 0 : (iteration() - warmup_) / plan_.run.thin; }
  Index last_iteration() const { return warmup_ + plan_.draws * plan_.run.thin; }
  Index next_rest() const;
  bool is_out_of_time() const;
  bool is_save_due() const;
  RowsKept rows() const;
  double wall_seconds() const;

  void start();
  void move();
  void rest();
  void look_at_warmup();
  void end_warmup();
  void decide_end();
  void save();
  void archive(Archive& a);
  RunOutcome outcome() const;

  const RunPlan& plan_;
  Sink& sink_;
  Monitor& monitor_;
  const Restart& restart_;
  Batches batches_;
  std::vector<Settling> settling_;  // by batch, where warm-up may end by itself
  StoppingRule stopping_;
  Index warmup_;                // its length; the most it can be until it is over
  bool sampling_ = false;       // warm-up is over, and the sink knows
  std::string stopped_by_;      // empty while the run goes
  double earlier_seconds_ = 0;  // of the wall clock, before the last restart
  Clock::time_point begin_;
  std::optional<Clock::time_point> saved_;  // never: the first rest is a good moment
};

}  // namespace gadwall
