// An adapter: learns the tuning during a stage of warm-up from what the kernel says it did.
#pragma once

#include "gadwall/archive.hpp"
#include "gadwall/kernel.hpp"
#include "gadwall/notes.hpp"

namespace gadwall {

/// One iteration that is learnt from, seen before the accepted lanes move: both ends are there.
struct Lesson {
  const Transition& transition;
  const State& before;
  Evaluator& density;  // counted like the kernel's own evaluations
  LaneNoise noise;     // its iteration counts from the beginning of the run
  Index iteration;     // of this stage: 0, 1, ...

  /// The state of lane k after the decision.
  auto after(Index k) const {
    return transition.accepted[k] ? transition.next.x.col(k) : before.x.col(k);
  }
  auto gradient_after(Index k) const {
    return transition.accepted[k] ? transition.next.grad.col(k) : before.grad.col(k);
  }
  /// Mean over the lanes of the accept flags; steps that were taken in pieces count as 0.
  double accepted_share() const {
    return (transition.accepted && transition.accept.array() > 0).cast<double>().mean();
  }
};

/// Means over the lanes and the iterations since the last row of the trace; NaN where there are
/// none.
struct RecentMeans {
  double acceptance;
  double log_ratio;  // of min(0, r), where r is not below -1000
};

/// Belongs to one batch; its lanes share one tuning and teach it together.
class Adapter {
 public:
  virtual ~Adapter() = default;

  /// What the kernel must report during warm-up.
  virtual Wants wants() const { return {}; }

  /// The tuning to begin with, for a target of dimension n.
  virtual Tuning initial_tuning(Index n) const = 0;

  /// Called once with the starting states, before the first iteration it learns from.
  virtual void start(const State&, Evaluator&, const LaneNoise&, Tuning&) {}

  virtual void learn(const Lesson& lesson, Tuning& tuning) = 0;

  /// The end of the stage; the tuning does not change after this.
  virtual void finish(Tuning&) {}

  /// Names everything that evolves, beside the tuning: what a run needs to go on after a restart
  /// as if nothing had happened.
  virtual void archive(Archive&) {}

  /// What it has to say for a row of the trace of its stage (AdaptationTrace::recorded).
  virtual NamedNumbers record(const RecentMeans&, const Tuning&) const { return {}; }
};

}  // namespace gadwall
