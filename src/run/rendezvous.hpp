// What the processes of a team tell each other at a rest, and when the next one is.
#pragma once

#include "gadwall/run.hpp"

namespace gadwall {

/// What one process says.
struct RestWord {
  bool stop = false;         // it was told to
  double working = 0;        // seconds since the last rest
  bool out_of_time = false;  // by the clock of the first
  bool save_is_due = false;  // likewise

  void archive(Archive& a);
};

/// What follows for all.
struct RestDecision {
  bool stop = false;
  bool out_of_time = false;
  bool save_is_due = false;
};

/// Rests come after about half a second of work of the slowest: a signal is soon heard, and what is
/// sent at one costs nothing beside that.
class Rendezvous {
 public:
  /// longest: the most iterations between two rests.
  Rendezvous(Team& team, Index longest);

  /// The iterations until the next rest.
  Index leg() const { return leg_; }

  /// All are here after `iterations` of work since the last time.
  RestDecision hold(RestWord mine, Index iterations);

  std::vector<RankFacts> ranks() const;

 private:
  void choose_leg(double slowest, Index iterations);
  void count_waiting(const std::vector<RestWord>& words);

  Team& team_;
  Index longest_;
  Index leg_ = 1;
  std::vector<RankFacts> ranks_;
  std::vector<std::vector<double>> waited_;  // seconds, by rank and by the rank it waited for
};

}  // namespace gadwall
