#include "meetings/efficiency.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "diagnostics/ess.hpp"

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

/// Sums over trajectories, for a function f of one coordinate: of f(x_0)^2, and by length of
/// E[f(x_0) f(x')].
struct Products {
  explicit Products(Index steps) : by_length(Vector::Zero(steps)) {}
  double square = 0;
  Vector by_length;
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

template <class F>
Products products_of(const std::vector<Paths>& batches, Index j, F f) {
  const Index steps = batches.front().steps();
  Products products(steps);
  for (const Paths& batch : batches) {
    const Index c = batch.start.rows();
    for (Index i = 0; i < batch.start.cols(); ++i) {
      const double before = f(batch.start(j, i));
      products.square += before * before;
      for (Index l = 0; l < steps; ++l) {
        const double a = batch.accept(l, i);
        const double after = a > 0 ? f(batch.end(l * c + j, i)) : 0;
        products.by_length[l] += before * (a * after + (1 - a) * before);
      }
    }
  }
  return products;
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

LengthEfficiency best_length(const std::vector<Paths>& batches, int gradients) {
  const Index steps = batches.front().steps();
  const Index c = batches.front().start.rows();
  std::vector<SlowestMean> by_length(static_cast<std::size_t>(steps));
  const auto judge = [&](const Products& products) {
    if (!(products.square > 0)) return;  // a coordinate that stands still says nothing
    double correlation_sum = 0;
    for (Index m = 1; m <= steps; ++m) {
      correlation_sum += products.by_length[m - 1] / products.square;
      const double r = std::clamp(correlation_sum / static_cast<double>(m), -0.5, 1.0);
      const double cost = static_cast<double>((m + 1) * gradients) / 2;
      by_length[static_cast<std::size_t>(m - 1)].add((1 - r) / (1 + r) / cost);
    }
  };
  for (Index j = 0; j < c; ++j) {
    const Moments m = moments_of(batches, j);
    judge(products_of(batches, j, [&](double x) { return x - m.mean; }));
    judge(products_of(batches, j,
                      [&](double x) { return (x - m.mean) * (x - m.mean) - m.variance; }));
  }
  LengthEfficiency best;
  for (Index m = 1; m <= steps; ++m) {
    const double efficiency = by_length[static_cast<std::size_t>(m - 1)].value();
    if (efficiency > best.efficiency) best = {m, efficiency};
  }
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
