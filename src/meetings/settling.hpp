// When a warm-up that may end by itself ends.
//
// A learnt L has settled when its scales no longer drift. At the end of every window each batch
// notes 2 n numbers: log L_ii, the conditional scales, and log |row i of L|, the marginal ones.
// The stage ends at its iteration t when, in every batch, none of them differs by more than a
// tolerance from what it was at two thirds of t, both averaged over a stretch of windows, and
// acceptance over the last third is near its target. The comparison grows with t: a scale that
// still creeps towards its place by one part in a thousand a window is not settled, however quiet a
// short window looks.
#pragma once

#include <vector>

#include "gadwall/meeting.hpp"

namespace gadwall {

struct SettlingOptions {
  Index window = 250;             // iterations between two looks
  Index least = 1000;             // no warm-up is shorter
  double scale_tolerance = 0.05;  // of a log scale; 0.1 cost a seventh of the ESS on German Credit
  double accept_tolerance = 0.05;
  double target_accept = 0.55;  // that the learner steers to
};

/// The scales of one batch, window by window.
class Settling {
 public:
  explicit Settling(SettlingOptions options = {}) : options_(options) {}

  /// log_scales: of L; accept_sum: of all iterations so far, mean over the lanes.
  void look(const Vector& log_scales, double accept_sum);

  bool is_settled() const;

  void archive(Archive& a);

 private:
  Index looks() const { return scales_.cols(); }

  SettlingOptions options_;
  Matrix scales_;                    // 2 n x looks
  std::vector<double> accept_sums_;  // at each look
};

/// Every batch must have settled.
class SettlingMeeting final : public Meeting {
 public:
  explicit SettlingMeeting(SettlingOptions options) : options_(options) {}

  Index next(Index done) const override { return (done / options_.window + 1) * options_.window; }
  bool hold(std::span<Member> mine, Team& team) override;
  std::vector<Note> findings() const override;
  void archive(Archive& a) override;

 private:
  SettlingOptions options_;
  std::vector<Settling> batches_;  // of all processes
  Index looks_ = 0;
  Index settled_ = 0;  // batches of all processes, at the last look
};

}  // namespace gadwall
