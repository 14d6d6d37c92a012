// R-hat, of the values and rank-normalised (Vehtari et al. 2021).
#include "diagnostics/rhat.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "diagnostics/moments.hpp"
#include "diagnostics/quantile.hpp"
#include "diagnostics/split.hpp"
#include "gadwall/diagnostics.hpp"

namespace gadwall {
namespace {

constexpr double undefined_rhat = std::numeric_limits<double>::quiet_NaN();

double rhat_of_moments(const Vector& means, const Vector& variances, Index rows) {
  const auto n = static_cast<double>(rows);
  const double between = n * variance_of(means);
  return std::sqrt((between / mean_of(variances) + n - 1) / n);
}

}  // namespace

double rhat_of_chains(const Matrix& chains) {
  if (chains.size() == 0 || is_constant(chains)) return undefined_rhat;
  Vector means(chains.cols());
  Vector variances(chains.cols());
  for (Index c = 0; c < chains.cols(); ++c) {
    means[c] = mean_of(chains.col(c));
    variances[c] = variance_of(chains.col(c), means[c]);
  }
  if (!are_finite(means)) return undefined_rhat;
  return rhat_of_moments(means, variances, chains.rows());
}

double rhat_of_ranks(const Matrix& scores, const SortedEntries& sorted, double median) {
  if (!std::isfinite(median)) return undefined_rhat;
  const double bulk = rhat_of_chains(scores);
  const ColumnMoments folded =
      moments_of_scores(fold_entries(sorted, median), scores.rows(), scores.cols());
  if (!(folded.range >= std::numeric_limits<double>::epsilon())) return undefined_rhat;
  return std::isnan(bulk)
             ? bulk
             : std::max(bulk, rhat_of_moments(folded.means, folded.variances, scores.rows()));
}

double rhat(const Matrix& x) {
  if (x.hasNaN()) return undefined_rhat;
  const Matrix halves = split_chains(x);
  const SortedEntries sorted = sort_entries(halves);
  return rhat_of_ranks(normal_scores(sorted, halves.rows(), halves.cols()), sorted, median_of(x));
}

double rhat_basic(const Matrix& x) {
  return rhat_of_chains(split_chains(x));
}

}  // namespace gadwall
