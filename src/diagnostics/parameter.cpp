// Everything a summary says of one parameter, with one sort and one split.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "diagnostics/ess.hpp"
#include "diagnostics/mcse.hpp"
#include "diagnostics/moments.hpp"
#include "diagnostics/quantile.hpp"
#include "diagnostics/ranks.hpp"
#include "diagnostics/rhat.hpp"
#include "diagnostics/split.hpp"
#include "gadwall/diagnostics.hpp"

namespace gadwall {
namespace {

double smaller_or_nan(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::numeric_limits<double>::quiet_NaN() : std::min(a, b);
}

// Each function has its own answer to draws that are not finite; nothing can be shared.
ParameterDiagnostics diagnose_one_by_one(const Matrix& x) {
  ParameterDiagnostics d;
  d.mean = mean_of(all_values(x));
  d.sd = std::sqrt(variance_of(all_values(x)));
  d.q05 = quantile(x, 0.05);
  d.q50 = quantile(x, 0.5);
  d.q95 = quantile(x, 0.95);
  d.mcse_mean = mcse_mean(x);
  d.mcse_sd = mcse_sd(x);
  d.ess_mean = ess_mean(x);
  d.ess_bulk = ess_bulk(x);
  d.ess_tail = ess_tail(x);
  d.ess_sq = ess_square(x);
  d.rhat = rhat(x);
  return d;
}

}  // namespace

ParameterDiagnostics diagnose_parameter(const Matrix& x) {
  if (x.size() == 0 || !are_finite(all_values(x)) || is_constant(x)) return diagnose_one_by_one(x);
  Matrix halves = split_chains(x);
  const SortedEntries sorted = sort_entries(halves);
  const OrderedValues values(sorted, left_out_by_split(x));

  ParameterDiagnostics d;
  d.mean = mean_of(all_values(x));
  d.sd = std::sqrt(variance_of(all_values(x), d.mean));
  d.q05 = quantile_of(values, 0.05);
  d.q50 = quantile_of(values, 0.5);
  d.q95 = quantile_of(values, 0.95);
  d.ess_tail = smaller_or_nan(ess_of_indicator(halves, d.q05), ess_of_indicator(halves, d.q95));
  {
    Matrix scores = normal_scores(sorted, halves.rows(), halves.cols());
    d.rhat = rhat_of_ranks(scores, sorted, median_of(values));
    d.ess_bulk = ess_of_chains(std::move(scores));
  }
  d.ess_mean = ess_of_chains(halves);
  halves = (halves.array() - d.mean).square();
  d.ess_sq = ess_of_chains(std::move(halves));
  d.mcse_mean = d.sd / std::sqrt(d.ess_mean);
  d.mcse_sd = mcse_sd_of_moments(central_moments(all_values(x), d.mean), d.ess_sq);
  return d;
}

double worst_ess(const ParameterDiagnostics& parameter) {
  const bool known = !std::isnan(parameter.ess_bulk) && !std::isnan(parameter.ess_sq);
  if (!known) return std::numeric_limits<double>::quiet_NaN();
  return std::fmin(std::min(parameter.ess_bulk, parameter.ess_sq), parameter.ess_tail);
}

bool is_fixed(const ParameterDiagnostics& parameter) {
  constexpr double kRounding = 1e-15;
  return parameter.sd <= kRounding * std::abs(parameter.mean);
}

}  // namespace gadwall
