#include "meetings/efficiency.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "diagnostics/ess.hpp"
#include "meetings/persistence.hpp"

namespace gadwall {
namespace {

constexpr double kLeast = 1e-3;  // of an efficiency: noise must not make it zero or negative

/// The mean of the slowest few: one in twenty, from two to eight. Of all functions the many fast
/// ones would hide the slow; the slowest alone is mostly noise.
class SlowestMean {
 public:
  void add(double efficiency) { all_.push_back(std::max(kLeast, efficiency)); }

  double value() {
    if (all_.empty()) return 0;
    const std::size_t few = std::min(all_.size(), std::clamp<std::size_t>(all_.size() / 20, 2, 8));
    const auto end = all_.begin() + static_cast<std::ptrdiff_t>(few);
    std::ranges::partial_sort(all_, end);
    return std::accumulate(all_.begin(), end, 0.0) / static_cast<double>(few);
  }

 private:
  std::vector<double> all_;
};

/// Of one function f and by the largest length M, n x M over functions: the correlation r(M), and
/// the variance of its error.
struct Correlations {
  Correlations(Index functions, Index steps)
      : r(Matrix::Zero(functions, steps)), error(Matrix::Zero(functions, steps)) {}
  Matrix r, error;
};

struct Moments {
  double mean = 0;
  double variance = 0;
};

Moments moments_of(const std::vector<Paths>& batches, Index j) {
  double sum = 0, squares = 0, count = 0;
  for (const Paths& batch : batches) {
    sum += batch.start.row(j).sum();
    count += static_cast<double>(batch.start.cols());
  }
  const double mean = sum / count;
  for (const Paths& batch : batches) squares += (batch.start.row(j).array() - mean).square().sum();
  return {mean, squares / count};
}

/// Row j of `all`, for f of coordinate j. r(M) = sum p / sum q is a ratio over trajectories, with
/// q = f(x_0)^2 and p the mean over l <= M of E[f(x_0) f(x')]; its variance is
/// sum (p - r q)^2 / (sum q)^2.
template <class F>
void correlate(const std::vector<Paths>& batches, Index j, F f, Correlations& all) {
  const Index steps = all.r.cols();
  double q_sum = 0, qq = 0;
  Eigen::ArrayXd p_sum = Eigen::ArrayXd::Zero(steps), pp = p_sum, pq = p_sum;
  for (const Paths& batch : batches) {
    const Index c = batch.start.rows();
    for (Index i = 0; i < batch.start.cols(); ++i) {
      const double before = f(batch.start(j, i));
      const double q = before * before;
      q_sum += q;
      qq += q * q;
      double products = 0;
      for (Index l = 0; l < steps; ++l) {
        const double a = batch.accept(l, i);
        const double after = a > 0 ? f(batch.end(l * c + j, i)) : 0;
        products += before * (a * after + (1 - a) * before);
        const double p = products / static_cast<double>(l + 1);
        p_sum[l] += p;
        pp[l] += p * p;
        pq[l] += p * q;
      }
    }
  }
  if (!(q_sum > 0)) return;  // a coordinate that stands still says nothing
  const Eigen::ArrayXd r = p_sum / q_sum;
  all.r.row(j) = r.max(-0.5).min(1.0);
  all.error.row(j) = (pp - 2 * r * pq + r.square() * qq) / (q_sum * q_sum);
}

/// The slowest of many noisy numbers is mostly noise: they are shrunk to their mean, each by what
/// its own error takes away from the variance between them. A slow function that hardly moves has a
/// small error, since p and r q are then nearly the same in every trajectory: it stays where it is
/// seen, however many fast and noisy ones there are beside it.
void shrink(Correlations& all) {
  for (Index m = 0; m < all.r.cols(); ++m) {
    auto r = all.r.col(m).array();
    const auto error = all.error.col(m).array();
    const double mean = r.mean();
    const double between = std::max(0.0, (r - mean).square().mean() - error.mean());
    if (between > 0) {
      r = mean + between / (between + error) * (r - mean);
    } else {
      r = mean;
    }
  }
}

/// Of values (degree 1) or of squares (2).
Correlations correlations_of(const std::vector<Paths>& batches, int degree) {
  const Index n = batches.front().start.rows();
  Correlations all(n, batches.front().steps());
  for (Index j = 0; j < n; ++j) {
    const Moments m = moments_of(batches, j);
    if (degree == 1) {
      correlate(
          batches, j, [&](double x) { return x - m.mean; }, all);
    } else {
      correlate(
          batches, j, [&](double x) { return (x - m.mean) * (x - m.mean) - m.variance; }, all);
    }
  }
  shrink(all);
  return all;
}

double mean_acceptance_of_first_steps(const std::vector<Paths>& batches) {
  double sum = 0, count = 0;
  for (const Paths& batch : batches) {
    sum += batch.accept.row(0).sum();
    count += static_cast<double>(batch.accept.cols());
  }
  return sum / count;
}

double gradients_per_step_of(const std::vector<Paths>& batches) {
  double gradients = 0, steps = 0;
  for (const Paths& batch : batches) {
    gradients += batch.gradients;
    steps += static_cast<double>(batch.accept.size());
  }
  return gradients / steps;
}

/// Shares of the momentum to be tried: .1, .2, ... .8.
constexpr std::size_t kShares = 8;
double share(std::size_t i) {
  return static_cast<double>(i + 1) / 10;
}

/// The states of coordinate j, one lane per column.
Matrix chains_of(const std::vector<Paths>& batches, Index j) {
  const Index lanes = batches.front().lanes;
  const Index length = batches.front().after.cols() / lanes;
  Matrix chains(length, lanes * static_cast<Index>(batches.size()));
  Index at = 0;
  for (const Paths& batch : batches) {
    for (Index k = 0; k < lanes; ++k, ++at) {
      for (Index t = 0; t < length; ++t) chains(t, at) = batch.after(j, t * lanes + k);
    }
  }
  return chains;
}

}  // namespace

LengthEfficiency best_length(const std::vector<Paths>& batches) {
  const double gradients = gradients_per_step_of(batches);
  const Index steps = batches.front().steps();
  const double acceptance = mean_acceptance_of_first_steps(batches);
  std::vector<SlowestMean> by_length(static_cast<std::size_t>(steps)), by_share(kShares);
  for (const int degree : {1, 2}) {
    const Correlations all = correlations_of(batches, degree);
    for (Index f = 0; f < all.r.rows(); ++f) {
      for (Index m = 1; m <= steps; ++m) {
        const double r = all.r(f, m - 1);
        const double cost = static_cast<double>(m + 1) * gradients / 2;
        by_length[static_cast<std::size_t>(m - 1)].add((1 - r) / (1 + r) / cost);
      }
      for (std::size_t i = 0; i < kShares; ++i) {
        by_share[i].add(draws_per_step({degree, all.r(f, 0), acceptance}, share(i)) / gradients);
      }
    }
  }
  LengthEfficiency best;
  const auto keep_better = [&](Index m, double persistence, SlowestMean& mean) {
    const double efficiency = mean.value();
    if (efficiency > best.efficiency) best = {m, persistence, efficiency};
  };
  for (Index m = 1; m <= steps; ++m) {
    keep_better(m, 0, by_length[static_cast<std::size_t>(m - 1)]);
  }
  for (std::size_t i = 0; i < kShares; ++i) keep_better(1, share(i), by_share[i]);
  return best;
}

double efficiency_of_states(const std::vector<Paths>& batches) {
  double gradients = 0;
  for (const Paths& batch : batches) gradients += batch.gradients;
  SlowestMean mean;
  for (Index j = 0; j < batches.front().after.rows(); ++j) {
    const Matrix chains = chains_of(batches, j);
    for (const double ess : {ess_of_chains(chains), ess_of_chains(squared_deviations(chains))}) {
      if (std::isfinite(ess)) mean.add(ess / gradients);
    }
  }
  return mean.value();
}

}  // namespace gadwall
