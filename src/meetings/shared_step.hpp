// One step for all batches: at every meeting one update of dual averaging on the mean acceptance of
// all lanes since the last. (One update per chain, one after the other, oscillates.)
#pragma once

#include "adapters/dual_averaging.hpp"
#include "meetings/shared_acceptance.hpp"

namespace gadwall {

struct SharedStepOptions {
  DualAveragingOptions averaging;
  Index every = 1;  // iterations between meetings

  void describe(OptionFields& o) {
    averaging.describe(o);
    o("meet-every", every, "iterations between meetings", between(1, 1e6));
  }
};

/// For adapters that leave the step alone. It begins at the geometric mean of the batches' steps
/// and ends at the average of its iterates.
class SharedStep final : public Meeting {
 public:
  explicit SharedStep(SharedStepOptions options)
      : options_(options), averaging_(options.averaging) {}

  Index next(Index done) const override { return done + options_.every; }
  bool hold(std::span<Member> mine, Team& team) override;
  void finish(std::span<Member> mine, Team& team) override;
  void archive(Archive& a) override;

 private:
  SharedStepOptions options_;
  DualAveraging averaging_;
  bool begun_ = false;
  SharedAcceptance acceptance_;
};

}  // namespace gadwall
