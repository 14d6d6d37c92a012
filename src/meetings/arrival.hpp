// The end of a stage in which lanes look for the bulk of the target alone.
//
// It ends when three in four of the lanes that walk no longer climb. Lanes that are lost then,
// their mean log density far below the median, go on from where a good one is; the lanes that
// waited go on from an earlier state of the one that walked for them. All begin the next stage with
// one metric, from the draws and scores of all that arrived.
#pragma once

#include "adapters/alone.hpp"
#include "gadwall/meeting.hpp"

namespace gadwall {

struct ArrivalOptions {
  Index least = 16;  // iterations before the first look
  Index every = 4;   // between two looks
  double share = 0.75;
};

class Arrival final : public Meeting {
 public:
  explicit Arrival(ArrivalOptions options) : options_(options) {}

  Index next(Index done) const override {
    return done < options_.least ? options_.least : done + options_.every;
  }
  bool hold(std::span<Member> mine, Team& team) override;
  void finish(std::span<Member> mine, Team& team) override;
  std::vector<Note> findings() const override;
  void archive(Archive& a) override;

 private:
  ArrivalOptions options_;
  Index walkers_ = 0;
  std::vector<std::int64_t> replaced_;  // chains that walked and were lost
};

}  // namespace gadwall
