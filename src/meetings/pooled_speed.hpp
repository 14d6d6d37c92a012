// One L for all batches of a run, learnt by all of them: at every iteration the gradient of the
// speed measure is the mean over the lanes of every batch, and the ascent is done once. Batches of
// K lanes then learn, iteration by iteration, what one batch of all the lanes would.
#pragma once

#include <optional>

#include "adapters/speed_measure.hpp"
#include "meetings/settling.hpp"

namespace gadwall {

/// For SpeedMeasureAdapters that pool.
class PooledSpeed final : public Meeting {
 public:
  /// settling: where the stage may end by itself.
  PooledSpeed(const SpeedMeasureOptions& options, std::optional<SettlingOptions> settling);

  Index next(Index done) const override { return done + 1; }
  bool hold(std::span<Member> mine, Team& team) override;
  void finish(std::span<Member> mine, Team& team) override;
  std::vector<Note> findings() const override;
  void archive(Archive& a) override;

 private:
  void begin(std::span<Member> mine, Team& team);
  void seed(std::span<Member> mine, Team& team);

  SpeedMeasureOptions options_;
  SpeedAscent ascent_;
  bool begun_ = false;
  std::optional<SettlingMeeting> settling_;
};

}  // namespace gadwall
