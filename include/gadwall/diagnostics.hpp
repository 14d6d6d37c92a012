// Convergence diagnostics: R-hat, effective sample sizes, Monte Carlo standard errors, quantiles.
//
// Vehtari, Gelman, Simpson, Carpenter & Buerkner (2021), "Rank-normalization, folding, and
// localization: an improved R-hat for assessing convergence of MCMC". The numbers are those of
// version 1.4.0 of R's package posterior.
//
// x is N x C: N draws of one parameter, one chain per column. "Split" means that each chain is cut
// into two halves of floor(N/2) draws that count as chains of their own; for odd N the middle draw
// is left out. Where posterior answers NA the answer here is NaN:
//
//   constant    Every value used within 2.2e-16 (absolute, as in posterior) of every other: NaN.
//               For a tail ESS the values used are the indicators x <= q, so it is NaN where the
//               95 % quantile is the largest value (5 % of the draws or more share it). For R-hat
//               they are the normal scores of x and of |x - median|: two-valued draws with equal
//               frequencies have no folded spread, NaN. A constant chain among others that vary is
//               an ordinary chain; where every chain is constant, at different values, R-hat is
//               +inf (posterior: +inf or, by rounding, about 1e15).
//   not finite  A NaN among the draws used gives NaN everywhere. An infinite draw has a rank, so
//               rhat and ess_bulk count it as the most extreme value and stay finite (rhat is NaN
//               where the median is infinite); everything else but quantile gives NaN. The middle
//               draw of an odd chain is not used by rhat_basic, ess_mean and ess_bulk.
//   too short   ESS needs halves of 3 draws (N >= 6), R-hat of 2 (N >= 4); below, NaN. N = 2 and
//               N = 3 with several chains are the exception: posterior 1.4.0 then compares the
//               first draws of the chains with the last ones, and so do we.
//   empty       NaN.
//
// A probability outside [0, 1] is a UsageError.
#pragma once

#include "gadwall/types.hpp"

namespace gadwall {

/// Rank-normalised split R-hat: the larger of those of x and of |x - median|.
double rhat(const Matrix& x);

/// Split R-hat of the values themselves (Gelman et al., BDA3, section 11.4).
double rhat_basic(const Matrix& x);

/// The ESS of the rank-normalised split chains. Every ESS here is capped at S log10(S), where S is
/// the number of draws used: antithetic chains go beyond S.
double ess_bulk(const Matrix& x);

/// The smaller of the ESS of the 5 % and the 95 % quantile.
double ess_tail(const Matrix& x);

/// The ESS of the mean: split chains, values as they are.
double ess_mean(const Matrix& x);

/// The ESS of |x - mean|.
double ess_sd(const Matrix& x);

/// The ESS of (x - mean)^2, which shows the slowness that an antithetic chain hides in ess_mean.
double ess_square(const Matrix& x);

/// The ESS of the indicator x <= quantile(x, p); p = 1 stands for (S - 1/2) / S.
double ess_quantile(const Matrix& x, double p);

/// sd / sqrt(ess_mean).
double mcse_mean(const Matrix& x);

/// By the delta method: sqrt((m4 - m2^2) / ess_square / (4 m2)), with central moments m2, m4.
double mcse_sd(const Matrix& x);

/// Half the distance between the order statistics at the 16 % and 84 % quantiles of
/// Beta(p ESS + 1, (1 - p) ESS + 1), ESS = ess_quantile(x, p).
double mcse_quantile(const Matrix& x, double p);

/// The p-quantile of all values, interpolated linearly between order statistics (R's type 7).
/// NaN where a value is NaN; infinite values are ordered like the others.
double quantile(const Matrix& x, double p);

/// Geyer's (1992) initial monotone sequence on one chain of N draws, for comparison with published
/// tables only: Gamma_j = rho_{2j} + rho_{2j+1}, made non-increasing, summed while positive;
/// tau = max(1, -1 + 2 sum Gamma); N / tau. NaN for a constant, an empty or a non-finite chain.
double ess_paper(ConstVectorRef chain);

/// What a summary says of one parameter. sd is the sample sd of all draws, chains pooled.
struct ParameterDiagnostics {
  double mean;
  double sd;
  double q05;
  double q50;
  double q95;
  double mcse_mean;
  double mcse_sd;
  double ess_mean;
  double ess_bulk;
  double ess_tail;
  double ess_sq;
  double rhat;
};

/// All of them, equal to the functions above; sorts and splits once.
ParameterDiagnostics diagnose_parameter(const Matrix& x);

/// The smallest of bulk-ESS, tail-ESS and the ESS of (x - mean)^2; NaN where the first or the last
/// is. That of the tails is not defined where many draws share an extreme value, as those of a
/// count do, and then left out.
double worst_ess(const ParameterDiagnostics& parameter);

/// The same value in all draws of all chains, but for rounding: a quantity that the model fixes,
/// such as the zeros of a triangular matrix or the diagonal of a correlation matrix.
bool is_fixed(const ParameterDiagnostics& parameter);

}  // namespace gadwall
