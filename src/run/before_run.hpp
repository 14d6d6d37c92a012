// What is looked at before a run that a C++ program begins.
#pragma once

#include <string>
#include <vector>

#include "gadwall/sample.hpp"

namespace gadwall {

/// One line each, also said to the log (gadwall/host.hpp): a gradient that is not that of the
/// density, at a standard normal point where that is finite. Nothing where options.check_gradient
/// is off or a sampler without gradients runs; a check costs two evaluations per coordinate, so up
/// to 500 of them.
std::vector<std::string> warnings_before(const RunPlan& plan, const SampleOptions& options);

}  // namespace gadwall
