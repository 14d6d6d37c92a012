// One L for all batches, corrected from the points of all of them (adapters/drift.hpp). The angle
// stays that of each batch.
#pragma once

#include "adapters/drift.hpp"
#include "gadwall/meeting.hpp"

namespace gadwall {

/// For DriftAdapters that pool.
class PooledDrift final : public Meeting {
 public:
  explicit PooledDrift(const DriftOptions& options)
      : options_(options), windows_(drift_windows(options)) {}

  Index next(Index done) const override;
  bool hold(std::span<Member> mine, Team& team) override;

 private:
  DriftOptions options_;
  WarmupWindows windows_;
};

}  // namespace gadwall
