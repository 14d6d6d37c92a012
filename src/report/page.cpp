// The page of a run, or of several.
#include "gadwall/report.hpp"
#include "gadwall/summary.hpp"
#include "report/assets.hpp"
#include "report/comparison.hpp"
#include "report/plots.hpp"
#include "report/run_data.hpp"
#include "report/template.hpp"

namespace gadwall::report {
namespace {

std::string title_of(const std::vector<ReportedRun>& runs) {
  std::string title;
  for (const ReportedRun& run : runs) title += (title.empty() ? "" : " · ") + run.name;
  return title;
}

}  // namespace

std::string report_page(const std::vector<ReportedRun>& runs) {
  std::vector<Summary> summaries;
  Json data = {{"version", GADWALL_VERSION}, {"specs", page_specs()}, {"runs", Json::array()}};
  for (const ReportedRun& run : runs) {
    summaries.push_back(run.summary != nullptr ? *run.summary
                                               : summarise(*run.draws, {.paper_ess = false}));
    data["runs"].push_back(
        run_data(run, summaries.back(), kDrawnValues / static_cast<Index>(runs.size())));
  }
  data["comparison"] = comparison_data(summaries);
  return self_contained_page(title_of(runs), data, assets::page_js());
}

}  // namespace gadwall::report
