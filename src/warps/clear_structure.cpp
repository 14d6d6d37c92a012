#include "warps/clear_structure.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gadwall {
namespace {

constexpr double kLeastShare = 0.01;  // below it the driver does not concern a member
constexpr double kNear = 0.15;        // of 1 or -1
constexpr double kTolerance = 0.25;   // of what the means' own precision should be
constexpr Index kEffectsPerMean = 2;  // fewer are no hierarchy

/// Whether two members are coupled. One mean of J effects has with each of them the correlation
/// J^(-1/2).
class Couplings {
 public:
  explicit Couplings(const Matrix& driven)
      : driven_(driven),
        least_(std::max(0.03, 0.3 / std::sqrt(static_cast<double>(driven.rows())))) {}

  bool between(Index j, Index k) const {
    const double sizes = driven_(j, j) * driven_(k, k);
    return j != k && sizes > 0 && std::abs(driven_(j, k)) > least_ * std::sqrt(sizes);
  }

 private:
  const Matrix& driven_;
  double least_;
};

/// Members without which the others are not coupled, those with most couplings first.
std::vector<bool> find_means(const Couplings& couplings, const std::vector<Index>& concerned,
                             std::size_t m) {
  std::vector<bool> is_mean(m, false);
  while (true) {
    Index best = 0, most = 0;
    for (const Index k : concerned) {
      if (is_mean[static_cast<std::size_t>(k)]) continue;
      const auto count = std::ranges::count_if(concerned, [&](Index j) {
        return !is_mean[static_cast<std::size_t>(j)] && couplings.between(j, k);
      });
      if (count > most) {
        most = count;
        best = k;
      }
    }
    if (most == 0) return is_mean;
    is_mean[static_cast<std::size_t>(best)] = true;
  }
}

double snapped(double value) {
  return std::abs(std::abs(value) - 1) < kNear ? std::copysign(1.0, value) : value;
}

}  // namespace

std::optional<Matrix> with_clear_structure(const Matrix& driven, const Vector& share) {
  const Index m = driven.rows();
  std::vector<Index> concerned;
  for (Index j = 0; j < m; ++j) {
    if (driven(j, j) > 0 && share[j] > kLeastShare) concerned.push_back(j);
  }
  const Couplings couplings(driven);
  const std::vector<bool> is_mean = find_means(couplings, concerned, static_cast<std::size_t>(m));
  std::vector<Index> means, effects;
  for (const Index j : concerned) {
    (is_mean[static_cast<std::size_t>(j)] ? means : effects).push_back(j);
  }
  if (effects.size() <
      static_cast<std::size_t>(kEffectsPerMean) * std::max<std::size_t>(1, means.size()))
    return std::nullopt;
  Matrix clear = Matrix::Zero(m, m);
  for (const Index j : effects) {
    Vector contrast = Vector::Unit(m, j);
    for (const Index h : means) {
      if (couplings.between(j, h)) contrast[h] = snapped(driven(j, h) / driven(j, j));
    }
    clear += driven(j, j) * contrast * contrast.transpose();
  }
  for (const Index h : means) {
    for (const Index k : means) {
      const double size = std::sqrt(driven(h, h) * driven(k, k));
      if (std::abs(clear(h, k) - driven(h, k)) > kTolerance * size) return std::nullopt;
    }
  }
  return clear;
}

}  // namespace gadwall
