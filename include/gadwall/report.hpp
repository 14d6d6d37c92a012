// One self-contained HTML page about a run, or about several side by side.
#pragma once

#include <string>
#include <vector>

#include "gadwall/draws.hpp"
#include "gadwall/summary.hpp"

namespace gadwall::report {

struct ReportedRun {
  std::string name;  // what the page calls it
  const Draws* draws = nullptr;
  const Summary* summary = nullptr;  // of these draws; null: it is made
};

/// The page as UTF-8 text. It holds its own data, plotting library, code and style and asks the
/// network for nothing. Numbers come from all draws, pictures from thinned ones where the draws are
/// many. Where there are several runs it begins with a comparison. The same runs give the same
/// bytes. At least one run.
std::string report_page(const std::vector<ReportedRun>& runs);

}  // namespace gadwall::report
