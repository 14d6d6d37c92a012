// Where a step-size search begins (Hoffman & Gelman 2014, algorithm 4, as Stan has it): from the
// present step, double or halve until the acceptance of one leapfrog step crosses 0.8. With
// several lanes it is their mean acceptance that must cross.
#pragma once

#include "gadwall/adapter.hpp"

namespace gadwall {

double reasonable_step(const State& state, Evaluator& density, const LaneNoise& noise,
                       const Tuning& tuning);

}  // namespace gadwall
