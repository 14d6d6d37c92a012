// When a run that stops on its own quality stops.
//
// It is judged after 100, 200, 400, ... draws of each chain, and ends at the first of these with
// worst ESS (over the parameters; of bulk, tails and squares) at least as asked for and R-hat below
// 1.01. Few looks keep the bias small that comes from stopping when the estimate of the ESS happens
// to be high. A look that the last one shows to be hopeless is left out; where there are to be no
// more draws one is made out of turn.
#pragma once

#include <limits>

#include "gadwall/run.hpp"

namespace gadwall {

class StoppingRule {
 public:
  /// ess 0: never. least: draws of a chain before the first look.
  explicit StoppingRule(double ess, Index least = 0)
      : ess_(ess), next_look_(least > 0 ? least : kFirstLook) {}

  /// The number of draws of a chain at which to look.
  Index next_look() const { return ess_ > 0 ? next_look_ : std::numeric_limits<Index>::max(); }

  /// Looks, where it is time to, or these draws are the last.
  bool is_enough(Index draws, bool are_last, Sink& sink);

  void archive(Archive& a);

 private:
  static constexpr Index kFirstLook = 100;

  void look(Index draws, Sink& sink);

  double ess_;
  Index next_look_;
  double satisfied_ = 0;  // the ESS that was asked for when the run ended
};

}  // namespace gadwall
