// Everything the page knows of one run, as JSON.
#pragma once

#include "gadwall/report.hpp"
#include "gadwall/summary.hpp"
#include "report/encode.hpp"

namespace gadwall::report {

/// Values that the pictures of one run may hold together; draws beyond are thinned.
constexpr Index kDrawnValues = 1'200'000;

Json run_data(const ReportedRun& run, const Summary& summary, Index drawn_values);

}  // namespace gadwall::report
