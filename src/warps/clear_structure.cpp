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
constexpr double kLeastPart = 0.1;    // of the mean part that effects have in a mean's precision
constexpr double kSumOfParts = 0.1;   // how far these parts may be from making it up
constexpr double kLargestOwn = 3;     // an effect's own precision over its part

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

/// The effects of u_h if Lambda1 has one mean, and that with couplings of 1 and -1 alone: its row
/// is -lambda_j then, and these add up to Lambda1_hh. What the effects' own rows say is asked of
/// half of them only: those of groups with much data are hardly known. Empty if it has not.
std::vector<Index> effects_of_only(Index h, const Matrix& driven,
                                   const std::vector<Index>& concerned) {
  const Index m = driven.rows();
  const double own = driven(h, h);
  std::vector<Index> effects;
  double sum = 0;
  Index near = 0;
  for (Index j = 0; j < m; ++j) {
    const double part = std::abs(driven(j, h));
    if (j == h || part < kLeastPart * own / static_cast<double>(m)) continue;
    if (driven(j, j) > kLargestOwn * part) return {};  // another mean
    effects.push_back(j);
    sum += part;
    if (std::abs(driven(j, j) / part - 1) < kNear) ++near;
  }
  const bool are_all = std::ranges::all_of(
      concerned, [&](Index j) { return j == h || std::ranges::binary_search(effects, j); });
  const auto count = static_cast<Index>(effects.size());
  const bool is_only = own > 0 && are_all && count >= kEffectsPerMean && 2 * near >= count &&
                       std::abs(sum - own) < kSumOfParts * own;
  return is_only ? effects : std::vector<Index>();
}

std::optional<Matrix> with_one_mean(const Matrix& driven, const std::vector<Index>& concerned) {
  for (const Index h : concerned) {
    const std::vector<Index> effects = effects_of_only(h, driven, concerned);
    if (effects.empty()) continue;
    Matrix clear = Matrix::Zero(driven.rows(), driven.rows());
    for (const Index j : effects) {
      Vector contrast = Vector::Unit(driven.rows(), j);
      contrast[h] = std::copysign(1.0, driven(j, h));
      clear += std::abs(driven(j, h)) * contrast * contrast.transpose();
    }
    return clear;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Matrix> with_clear_structure(const Matrix& driven, const Vector& share) {
  const Index m = driven.rows();
  std::vector<Index> concerned;
  for (Index j = 0; j < m; ++j) {
    if (driven(j, j) > 0 && share[j] > kLeastShare) concerned.push_back(j);
  }
  if (std::optional<Matrix> clear = with_one_mean(driven, concerned)) return clear;
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

std::vector<bool> are_means(const Matrix& driven) {
  std::vector<Index> concerned;
  for (Index j = 0; j < driven.rows(); ++j) {
    if (driven(j, j) > 0) concerned.push_back(j);
  }
  std::vector<bool> found =
      find_means(Couplings(driven), concerned, static_cast<std::size_t>(driven.rows()));
  const auto means = static_cast<std::size_t>(std::ranges::count(found, true));
  if (concerned.size() < (1 + kEffectsPerMean) * means) found.assign(found.size(), false);
  return found;
}

}  // namespace gadwall
