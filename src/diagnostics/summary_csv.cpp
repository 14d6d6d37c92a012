// A summary as CSV, for spreadsheets and scripts.
#include <fmt/format.h>

#include <cmath>

#include "gadwall/summary.hpp"
#include "text/text_table.hpp"

namespace gadwall {
namespace {

/// A cell of RFC 4180.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// The shortest text that reads back bit for bit.
std::string csv_number(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{}", value);
}

}  // namespace

std::string to_csv(const Summary& summary) {
  using P = ParameterDiagnostics;
  std::string text = "parameter,mean,mcse_mean,sd";
  if (summary.probabilities.empty()) text += ",q05,q50,q95";
  for (const double p : summary.probabilities) text += fmt::format(",q{}", p);
  text += ",ess_bulk,ess_tail,ess_sq,rhat";
  const bool controlled =
      !summary.parameters.empty() && summary.parameters.front().controlled.has_value();
  text += controlled ? ",mean_by_scores,mcse_by_scores\n" : "\n";
  for (const ParameterSummary& parameter : summary.parameters) {
    const P& v = parameter.values;
    std::vector<double> row = {v.mean, v.mcse_mean, v.sd};
    if (summary.probabilities.empty()) row.insert(row.end(), {v.q05, v.q50, v.q95});
    row.insert(row.end(), parameter.quantiles.begin(), parameter.quantiles.end());
    row.insert(row.end(), {v.ess_bulk, v.ess_tail, v.ess_sq, v.rhat});
    if (controlled) {
      row.insert(row.end(), {parameter.controlled->mean, parameter.controlled->mcse});
    }
    text += csv_cell(printable(parameter.name, "\n\r\t"));
    for (const double value : row) text += fmt::format(",{}", csv_number(value));
    text += "\n";
  }
  return text;
}

}  // namespace gadwall
