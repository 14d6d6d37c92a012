// What the exact drift (adapters/angle.hpp) learns once L has been learnt as published: its angle
// all along, and in windows what is still wrong with L,
//
//   L <- L C^(1/2),  C = cov(L^-1 x) # cov(L^T g)^-1,   so that L L^T = cov(x) # cov(g)^-1
//
// from the states and scores of a window (adapters/score_window.hpp). The published objective finds
// the shape that makes steps of a Langevin sampler largest, after as many iterations as its small
// steps need; a quarter turn wants the shape that makes the target white. Where a window is too
// short to say more than L does, L stays.
#pragma once

#include "adapters/angle.hpp"
#include "adapters/score_window.hpp"

namespace gadwall {

struct DriftOptions {
  AngleOptions angle;
  Metric metric = Metric::dense;
  Index rank = 20;       // of a low rank L
  bool correct = true;   // L, too
  bool pool = false;     // a meeting corrects L for all batches (meetings/pooled_drift.hpp)
  Index iterations = 0;  // of the stage
};

class DriftAdapter final : public Adapter {
 public:
  explicit DriftAdapter(const DriftOptions& options);

  Tuning initial_tuning(Index n) const override;
  void start(const State&, Evaluator&, const LaneNoise&, Tuning& tuning) override;
  void learn(const Lesson& lesson, Tuning& tuning) override;
  void finish(Tuning& tuning) override;
  void archive(Archive& a) override;

  /// For the meeting, at the end of a window: the points that count, and what all of them make of
  /// L.
  const Points& points(Index n) { return window_.gather(n); }
  void correct(const std::optional<Factor>& corrected, Tuning& tuning);

 private:
  DriftOptions options_;
  WarmupWindows windows_;
  ScoreWindow window_;
  AngleSearch angle_;
};

/// Where L is corrected: at the end of two windows, the second about twice as long. What is left,
/// a quarter or 1000 iterations, is for the angle. None where nothing is corrected.
WarmupWindows drift_windows(const DriftOptions& options);

/// Their states count, those of the second window alone where they are enough.
Index corrected_iterations(const DriftOptions& options);

/// Points of which a corrected L can be made.
Index least_points(Metric form, Index n);

/// The corrected L; nothing where the points are too few.
std::optional<Factor> corrected_factor(const DriftOptions& options, const Matrix& x,
                                       const Matrix& scores, const Factor& before);

}  // namespace gadwall
