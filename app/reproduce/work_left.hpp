// How long the repeats of a reproduction will still take.
#pragma once

#include <map>
#include <string>

#include "reproduce/repeat.hpp"

namespace gadwall::app::reproduce {

/// A method that was measured is taken to need the same again; one that was not, what the paper
/// says in the proportion in which we needed it so far.
class WorkLeft {
 public:
  void learn(const Repeat& repeat);

  /// Of one repeat; NaN before anything is known.
  double seconds(const RepeatPlan& plan) const;

 private:
  struct Measured {
    double seconds = 0;
    int count = 0;
  };
  std::map<std::string, Measured> by_method_;
  double ours_ = 0;    // seconds of all that was measured,
  double theirs_ = 0;  // and what the paper says they take
};

/// Seconds that the paper gives, or suggests, for a run of the same length.
double paper_seconds(const std::string& experiment, const std::string& method);

}  // namespace gadwall::app::reproduce
