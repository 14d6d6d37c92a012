// A way out of far tails, where a log density of -1e170 would have to be climbed step by tiny step.
#pragma once

#include "gadwall/kernel.hpp"

namespace gadwall {

/// Moves a lane by line searches along the gradient, as long as one gains 100 + 10 n nats, more
/// than the bulk of a target spans. What is left is for the chain to do.
void leave_far_tail(Evaluator& density, Index lane, State& state);

}  // namespace gadwall
