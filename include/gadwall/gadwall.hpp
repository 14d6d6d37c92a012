// gadwall: gradient-based adaptive MCMC. One include for users; kernel.hpp and adapter.hpp are for
// those who add a sampler.
#pragma once

#include "gadwall/autodiff.hpp"
#include "gadwall/catalog.hpp"
#include "gadwall/check_gradient.hpp"
#include "gadwall/diagnostics.hpp"
#include "gadwall/draws.hpp"
#include "gadwall/error.hpp"
#include "gadwall/files.hpp"
#include "gadwall/host.hpp"
#include "gadwall/options.hpp"
#include "gadwall/report.hpp"
#include "gadwall/run.hpp"
#include "gadwall/run_options.hpp"
#include "gadwall/sample.hpp"
#include "gadwall/sampler.hpp"
#include "gadwall/start.hpp"
#include "gadwall/summary.hpp"
#include "gadwall/target.hpp"
#include "gadwall/targets.hpp"
#include "gadwall/transforms.hpp"
#include "gadwall/tuning.hpp"
#include "gadwall/types.hpp"

// Densities are the user's own code, and most of the time of a run.
#if defined(__GNUC__) && !defined(__OPTIMIZE__) && !defined(GADWALL_NOT_OPTIMISED)
#pragma message("gadwall: no optimisation; -O2 makes runs many times faster (GADWALL_NOT_OPTIMISED: I know)")
#endif
