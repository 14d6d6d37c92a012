// Effective sample sizes: Vehtari et al. (2021), with Geyer's (1992) initial monotone sequence.
#include "diagnostics/ess.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "diagnostics/autocovariance.hpp"
#include "diagnostics/indicator_autocovariance.hpp"
#include "diagnostics/moments.hpp"
#include "diagnostics/quantile.hpp"
#include "diagnostics/ranks.hpp"
#include "diagnostics/split.hpp"
#include "gadwall/diagnostics.hpp"

namespace gadwall {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// rho_t = 1 - (W - a_t) / var_plus, the autocorrelation that also counts the spread of the means
// of the m chains: W is the mean variance within, var_plus = (n - 1)/n W + var(means).
template <class Autocovariance>
class Autocorrelation {
 public:
  Autocorrelation(Autocovariance& autocovariance, Index rows) : autocovariance_(autocovariance) {
    const auto n = static_cast<double>(rows);
    within_ = autocovariance_(0) * n / (n - 1);
    pooled_ = autocovariance_(0);
    const Vector& means = autocovariance_.chain_means();
    if (means.size() > 1) pooled_ += variance_of(means);
  }

  double operator()(Index lag) { return 1 - (within_ - autocovariance_(lag)) / pooled_; }

 private:
  Autocovariance& autocovariance_;
  double within_;
  double pooled_;
};

// rho_0, ..., rho_T: an initial positive sequence of pairs, of which the last (T, T + 1) gives
// only its even member, and that only if positive. T is even, and 0 for n < 6.
template <class Rho>
std::vector<double> initial_positive_sequence(Rho& rho_at, Index n) {
  double even = 1;
  double odd = rho_at(1);
  std::vector<double> rho{even, odd};
  for (Index t = 2; t <= n - 4 && even + odd > 0; t += 2) {
    even = rho_at(t);
    odd = rho_at(t + 1);
    const bool keep = even + odd >= 0;
    rho.push_back(keep ? even : 0);
    rho.push_back(keep ? odd : 0);
  }
  rho.pop_back();
  if (even > 0) rho.back() = even;
  return rho;
}

// Each pair's sum at most that of the pair before.
void make_monotone(std::vector<double>& rho) {
  for (std::size_t t = 2; t + 1 < rho.size(); t += 2) {
    const double before = rho[t - 2] + rho[t - 1];
    if (rho[t] + rho[t + 1] > before) rho[t] = rho[t + 1] = before / 2;
  }
}

// tau = -1 + 2 sum_{t < T} rho_t + rho_T. For T = 0 posterior's sum still holds rho_0 = 1.
double autocorrelation_time(const std::vector<double>& rho) {
  double sum = rho.size() == 1 ? rho.front() : 0;
  for (std::size_t t = 0; t + 1 < rho.size(); ++t) sum += rho[t];
  return -1 + 2 * sum + rho.back();
}

template <class Autocovariance>
double ess_by(Autocovariance& autocovariance, Index n, double draws) {
  Autocorrelation<Autocovariance> rho_at(autocovariance, n);
  std::vector<double> rho = initial_positive_sequence(rho_at, n);
  make_monotone(rho);
  // An antithetic estimate of tau near zero is mostly noise: the ESS stops at draws * log10(draws).
  return draws / std::max(autocorrelation_time(rho), 1 / std::log10(draws));
}

// By counting as long as that is fast, then by FFTs.
class IndicatorThenAll {
 public:
  IndicatorThenAll(const Matrix& chains, double limit)
      : chains_(chains), limit_(limit), counts_(chains, limit) {}

  double operator()(Index lag) {
    constexpr Index kMostCounted = 128;
    if (lag < kMostCounted) return counts_(lag);
    if (!all_) all_.emplace((chains_.array() <= limit_).cast<double>());
    return (*all_)(lag);
  }

  const Vector& chain_means() const { return counts_.chain_means(); }
  bool is_constant() const { return counts_.is_constant(); }

 private:
  const Matrix& chains_;
  double limit_;
  IndicatorAutocovariance counts_;
  std::optional<MeanAutocovariance> all_;
};

}  // namespace

double ess_of_chains(Matrix chains) {
  const Index n = chains.rows();
  const auto draws = static_cast<double>(chains.size());
  if (n < 3 || chains.cols() == 0 || is_constant(chains)) return not_a_number;
  MeanAutocovariance autocovariance(std::move(chains));
  if (!are_finite(autocovariance.chain_means())) return not_a_number;
  return ess_by(autocovariance, n, draws);
}

double ess_of_indicator(const Matrix& chains, double limit) {
  const Index n = chains.rows();
  if (n < 3 || chains.cols() == 0) return not_a_number;
  IndicatorThenAll autocovariance(chains, limit);
  if (autocovariance.is_constant()) return not_a_number;
  return ess_by(autocovariance, n, static_cast<double>(chains.size()));
}

Matrix squared_deviations(const Matrix& x) {
  return (x.array() - mean_of(all_values(x))).square();
}

double ess_bulk(const Matrix& x) {
  const Matrix halves = split_chains(x);
  if (halves.hasNaN()) return not_a_number;
  return ess_of_chains(normal_scores(sort_entries(halves), halves.rows(), halves.cols()));
}

double ess_mean(const Matrix& x) {
  return ess_of_chains(split_chains(x));
}

double ess_sd(const Matrix& x) {
  return ess_of_chains(split_chains((x.array() - mean_of(all_values(x))).abs()));
}

double ess_square(const Matrix& x) {
  return ess_of_chains(split_chains(squared_deviations(x)));
}

double ess_quantile(const Matrix& x, double p) {
  require_probability(p);
  if (x.size() == 0 || !are_finite(all_values(x)) || is_constant(x)) return not_a_number;
  const auto size = static_cast<double>(x.size());
  return ess_of_indicator(split_chains(x), quantile(x, p == 1 ? (size - 0.5) / size : p));
}

double ess_tail(const Matrix& x) {
  const double lower = ess_quantile(x, 0.05);
  const double upper = ess_quantile(x, 0.95);
  return std::isnan(lower) ? lower : std::isnan(upper) ? upper : std::min(lower, upper);
}

}  // namespace gadwall
