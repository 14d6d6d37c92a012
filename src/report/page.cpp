// The page: template, style, plotting library, data and code put together.
#include <fmt/format.h>

#include "gadwall/report.hpp"
#include "gadwall/summary.hpp"
#include "report/assets.hpp"
#include "report/comparison.hpp"
#include "report/encode.hpp"
#include "report/plots.hpp"
#include "report/run_data.hpp"

namespace gadwall {
namespace {

std::string title_of(const std::vector<ReportedRun>& runs) {
  std::string title;
  for (const ReportedRun& run : runs) title += (title.empty() ? "" : " · ") + run.name;
  return title;
}

/// The template with every {{name}} replaced, in one pass: what is put in is never looked at.
std::string fill(std::string_view page,
                 const std::vector<std::pair<std::string_view, std::string_view>>& parts) {
  std::string text;
  for (;;) {
    const std::size_t open = page.find("{{");
    text += page.substr(0, open);
    if (open == std::string_view::npos) return text;
    const std::size_t close = page.find("}}", open);
    const std::string_view name = page.substr(open + 2, close - open - 2);
    for (const auto& [key, value] : parts) {
      if (key == name) text += value;
    }
    page.remove_prefix(close + 2);
  }
}

}  // namespace

std::string report_page(const std::vector<ReportedRun>& runs) {
  std::vector<Summary> summaries;
  Json data = {{"version", GADWALL_VERSION}, {"specs", page_specs()}, {"runs", Json::array()}};
  for (const ReportedRun& run : runs) {
    summaries.push_back(summarise(*run.draws));
    data["runs"].push_back(
        run_data(run, summaries.back(), kDrawnValues / static_cast<Index>(runs.size())));
  }
  data["comparison"] = comparison_data(summaries);
  return fill(assets::page_html(), {{"title", html_escape(title_of(runs))},
                                    {"style", assets::page_css()},
                                    {"vega", assets::vega_js()},
                                    {"data", json_for_script(data)},
                                    {"code", assets::page_js()}});
}

}  // namespace gadwall
