// The paper's learner: the gradient of the generalised speed measure from every proposal
// (speed_gradient.hpp), and the ascent (speed_ascent.hpp). With K lanes the gradient is the mean
// over them. K = 1 is the published algorithm.
#pragma once

#include <utility>

#include "adapters/points.hpp"
#include "adapters/speed_ascent.hpp"
#include "gadwall/adapter.hpp"

namespace gadwall {

class SpeedMeasureAdapter final : public Adapter {
 public:
  explicit SpeedMeasureAdapter(const SpeedMeasureOptions& options)
      : options_(options), ascent_(options) {}

  Wants wants() const override;
  Tuning initial_tuning(Index n) const override;
  void start(const State&, Evaluator&, const LaneNoise& noise, Tuning& tuning) override;
  void learn(const Lesson& lesson, Tuning& tuning) override;
  void finish(Tuning& tuning) override;
  void archive(Archive& a) override;
  NamedNumbers record(const RecentMeans& recent, const Tuning& tuning) const override;

  double beta() const { return options_.pool ? pooled_beta_ : ascent_.beta(); }

  /// For the meeting that learns for all batches: what the last iteration taught, and what beta has
  /// become.
  const SpeedGradient& gradient() const { return gradient_; }
  void follow(double beta) { pooled_beta_ = beta; }
  /// States with scores, for the directions of a low rank L; forgotten where they are taken.
  Points take_points() { return std::exchange(points_, Points()); }

 private:
  void collect(const Lesson& lesson);

  SpeedMeasureOptions options_;
  SpeedAscent ascent_;  // idle where a meeting learns
  SpeedGradient gradient_;
  double pooled_beta_ = options_.beta;
  Points points_;
};

}  // namespace gadwall
