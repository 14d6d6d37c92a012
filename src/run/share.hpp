// Which chains of a run a process holds.
#pragma once

#include "gadwall/run.hpp"

namespace gadwall {

/// Chains first ... end - 1.
struct Share {
  Index first = 0;
  Index end = 0;
};

/// So many chains, and no fewer, can be cut from a run without cutting a batch of any stage: lanes
/// are grouped anew without leaving their process.
Index chains_kept_together(const RunPlan& plan);

/// As even as that allows; the same however many threads there are.
Share share_of(const RunPlan& plan, int rank, int size);

}  // namespace gadwall
