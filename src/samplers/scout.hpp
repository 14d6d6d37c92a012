// Scouting: a first stage for a learner that does not know its target's scales.
//
// The speed measure learns L by steps whose size is fixed, 1.5e-4 or so: right where coordinates
// vary by about 1, as the paper's do; hopeless where they vary by 1e-5 or 1e4, as those of any
// Stan program may. nuts, which searches its step and learns a metric from draws and scores in
// windows, walks from the start to the bulk and finds the scales; L begins there and learns in
// units of them.
#pragma once

#include "gadwall/options.hpp"
#include "gadwall/stage.hpp"

namespace gadwall {

struct ScoutOptions {
  Index iterations = 0;  // none, as in the paper

  void describe(OptionFields& o) {
    o("scout", iterations, "first iterations of warm-up in which nuts finds the scales; 0: none",
      between(0, 1e9));
  }

  /// At most half of warm-up; none where a tuning is given.
  Index length(const Circumstances& c) const;
};

/// metric: the form that the learner wants.
Stage scout_stage(const ScoutOptions& options, Metric metric, const Circumstances& c);

/// What was found, in the form `metric` and with step 1: L = step times the scout's L.
Tuning scouted_tuning(const Tuning& found, Metric metric);

}  // namespace gadwall
