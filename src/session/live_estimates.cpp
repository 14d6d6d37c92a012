// Estimates while the draws come.
#include "session/live_estimates.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "diagnostics/ess.hpp"
#include "diagnostics/quantile.hpp"
#include "diagnostics/ranks.hpp"
#include "diagnostics/rhat.hpp"
#include "files/read_run.hpp"
#include "gadwall/diagnostics.hpp"

namespace gadwall::session {
namespace {

constexpr Index kManyBlocks = 2048;  // of all chains together: what there is to an estimate
constexpr Index kMostEntries = Index{1} << 20;  // of all chains and values: memory, and time
constexpr Index kLeastBlocks = 128;             // of a chain
constexpr Index kMostValues = 4096;  // of a draw; of more, every second, third, ... is followed
constexpr Index kMostMemory = Index{1}
                              << 23;  // numbers of all chains that each of three tables has
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The positions of the smallest numbers; NaN counts as larger than all.
std::vector<Index> smallest(const Vector& values, std::size_t count) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto key = [&](Index i) {
    return std::isnan(values[i]) ? std::numeric_limits<double>::infinity() : values[i];
  };
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.size()));
  std::ranges::partial_sort(order, end, {}, key);
  order.erase(end, order.end());
  return order;
}

/// Without those that are NaN.
std::vector<Index> known_smallest(const Vector& values, std::size_t count) {
  std::vector<Index> order = smallest(values, count);
  std::erase_if(order, [&](Index i) { return std::isnan(values[i]); });
  return order;
}

/// Of the columns' means; 0 for a single one.
double variance_of_means(const Matrix& y) {
  return y.cols() > 1 ? row_variances(y.colwise().mean())[0] : 0;
}

/// Within the columns, by their lengths.
double variance_within(const Matrix& y) {
  const Eigen::RowVectorXd means = y.colwise().mean();
  return (y.rowwise() - means).squaredNorm() / static_cast<double>(y.size());
}

/// A power of two from 128 to 512: chains of few values, and few chains, have more.
Index blocks_of_chain(Index values, Index chains) {
  const Index wanted = std::min(kManyBlocks / chains, kMostEntries / (chains * values));
  const auto power = std::bit_floor(static_cast<std::size_t>(std::max<Index>(wanted, 1)));
  return std::clamp(static_cast<Index>(power), kLeastBlocks, Index{512});
}

/// More than R-hat is of n independent draws in each of m halves: (m - 1) n (R-hat^2 - 1) is about
/// chi-squared then, with m - 1 degrees of freedom d, and exceeds d + 2 sqrt(d x) + 2 x in e^-x of
/// all cases (Laurent and Massart 2000).
double clear_rhat(const Matrix& halves) {
  constexpr double kRare = 11.5;
  const auto n = static_cast<double>(halves.rows());
  const auto degrees = static_cast<double>(halves.cols() - 1);
  const double most = degrees + 2 * std::sqrt(degrees * kRare) + 2 * kRare;
  return std::sqrt(1 + most / degrees / n);
}

}  // namespace

/// With what the summary makes of all draws, made of a few of each half: where chains hardly move
/// moments tell an R-hat of tens where ranks tell three. R-hat counts the variance within a half of
/// n by (n - 1) / n, which for few draws is less than for all.
LiveEstimates::Quality LiveEstimates::with_ranks(Quality q, const Matrix& some_draws) {
  const SortedEntries sorted = sort_entries(some_draws);
  Matrix scores = normal_scores(sorted, some_draws.rows(), some_draws.cols());
  const double rhat = rhat_of_ranks(scores, sorted, median_of(some_draws));
  if (!(rhat > clear_rhat(some_draws))) {
    const auto rows = static_cast<double>(some_draws.rows());
    return {q.ess, std::fmin(q.rhat, std::sqrt(rhat * rhat + 1 / rows))};
  }
  q.ess = std::fmin(q.ess, ess_of_chains(std::move(scores)));
  for (const double p : {0.05, 0.95}) {
    q.ess = std::fmin(q.ess, ess_of_indicator(some_draws, quantile(some_draws, p)));
  }
  return {q.ess, rhat};
}

LiveEstimates::LiveEstimates(const RunPlan& plan) {
  const std::vector<std::string> all = plan.output_names();
  const PlannedFacts facts = plan.facts();
  const auto values = static_cast<Index>(all.size());
  const Index most =
      std::clamp(kMostMemory / (kLeastBlocks * plan.run.chains), Index{1}, kMostValues);
  const Index stride = (values + most - 1) / most;
  for (Index i = 0; i < values; i += stride) {
    const std::string& name = all[static_cast<std::size_t>(i)];
    if (!facts.is_judged(name)) continue;
    followed_.push_back(i);
    names_.push_back(name);
  }
  const auto count = static_cast<Index>(names_.size());
  chains_.resize(static_cast<std::size_t>(plan.run.chains),
                 BlockMeans(count, blocks_of_chain(std::max<Index>(count, 1), plan.run.chains)));
}

void LiveEstimates::append(const files::ChainBlock& block) {
  if (block.warmup) return;
  const std::lock_guard lock(mutex_);
  BlockMeans& chain = chains_[static_cast<std::size_t>(block.chain)];
  const bool all = static_cast<Index>(followed_.size()) == block.values.rows();
  for (Index i = 0; i < block.count; ++i) {
    if (all) {
      chain.add(block.values.col(i));
    } else {
      chain.add(block.values.col(i)(followed_));
    }
  }
}

void LiveEstimates::recall(const std::string& netcdf) {
  files::read_draw_blocks(netcdf, [this](const files::ChainBlock& block) { append(block); });
}

/// The length of the blocks and how many of them all chains have: they may be some blocks apart,
/// and one may have joined its blocks before the others.
LiveEstimates::Halves LiveEstimates::halves(Index value, std::span<const BlockMeans> chains) const {
  Index length = 1;
  for (const BlockMeans& chain : chains) length = std::max(length, chain.block_draws());
  Index blocks = std::numeric_limits<Index>::max();
  for (const BlockMeans& chain : chains) {
    blocks = std::min(blocks, chain.blocks() * chain.block_draws() / length);
  }
  const Index half = blocks / 2;
  const auto columns = static_cast<Index>(2 * chains.size());
  Halves result{length, Matrix(half, columns), Matrix(half, columns), Matrix(half, columns)};
  for (Index c = 0; c < columns && half > 0; c += 2) {
    const BlockMeans::Series series =
        chains[static_cast<std::size_t>(c / 2)].series(value, length, chains.front().centre(value));
    result.means.col(c) = series.means.head(half);
    result.means.col(c + 1) = series.means.segment(half, half);
    result.squares.col(c) = series.squares.head(half);
    result.squares.col(c + 1) = series.squares.segment(half, half);
    result.draws.col(c) = series.draws.head(half);
    result.draws.col(c + 1) = series.draws.segment(half, half);
  }
  return result;
}

LiveEstimates::Quality LiveEstimates::quality(Index value,
                                              std::span<const BlockMeans> chains) const {
  auto [length, means, squares, some_draws] = halves(value, chains);
  if (means.rows() < kFewBlocks / 4) return {kNaN, kNaN};
  double square_variance = 0;
  for (const BlockMeans& chain : chains) {
    square_variance += chain.square_variance(value) / static_cast<double>(chains.size());
  }
  const double variance = (squares.colwise().mean() - means.colwise().mean().cwiseAbs2()).mean();
  squares -= 2 * means.mean() * means;  // now about the mean, but for a constant
  const double draws = static_cast<double>(means.size() * length);
  const auto ess = [&](const Matrix& y, double within) {
    const double between = variance_of_means(y);
    const double scale = (within + between) / (variance_within(y) + between);
    return std::min(ess_of_chains(y) * scale, draws * std::log10(draws));
  };
  const double apart =
      std::max(variance_of_means(means) / variance, variance_of_means(squares) / square_variance);
  const double ess_by_moments = std::fmin(ess(means, variance), ess(squares, square_variance));
  return with_ranks({ess_by_moments, std::sqrt(1 + apart)}, some_draws);
}

/// Of one chain: the smallest of these values.
double LiveEstimates::chain_ess(const BlockMeans& chain, const std::vector<Index>& worst) const {
  double ess = kNaN;
  for (const Index i : worst) ess = std::fmin(ess, quality(i, {&chain, 1}).ess);
  return ess;
}

/// Of all chains: the worst of these values.
void LiveEstimates::judge(const std::set<Index>& candidates, Estimates& result) const {
  result.worst_ess = result.rhat = kNaN;
  for (const Index i : candidates) {
    const Quality q = quality(i, chains_);
    const std::string& name = names_[static_cast<std::size_t>(i)];
    if (q.ess < result.worst_ess || std::isnan(result.worst_ess)) {
      result.worst_ess = q.ess;
      result.worst_name = name;
    }
    if (q.rhat > result.rhat || std::isnan(result.rhat)) {
      result.rhat = q.rhat;
      result.rhat_name = name;
    }
  }
}

Estimates LiveEstimates::now(std::size_t closely) const {
  const std::lock_guard lock(mutex_);
  const auto values = static_cast<Index>(names_.size());
  const auto count = static_cast<Index>(chains_.size());
  Estimates result;
  Vector quick = Vector::Zero(values);
  Matrix means(values, count);
  Matrix variances(values, count);
  Index least_draws = std::numeric_limits<Index>::max();
  for (Index c = 0; c < count; ++c) {
    const BlockMeans& chain = chains_[static_cast<std::size_t>(c)];
    const Vector own = chain.quick_ess();
    result.chain_ess.push_back(chain_ess(chain, known_smallest(own, closely / 4)));
    quick += own;
    means.col(c) = chain.mean();
    variances.col(c) = chain.variance();
    least_draws = std::min(least_draws, chain.draws());
  }
  const Vector within = variances.rowwise().mean();
  std::vector<Index> candidates = smallest(quick, closely);
  if (count > 1) {
    const auto apart = smallest(-row_variances(means).cwiseQuotient(within), closely);
    candidates.insert(candidates.end(), apart.begin(), apart.end());
  }
  std::erase_if(candidates, [&](Index i) { return std::isnan(quick[i]); });
  judge({candidates.begin(), candidates.end()}, result);
  constexpr Index kEnoughToTell = 100;
  for (Index i = 0; i < values && least_draws >= kEnoughToTell; ++i) {
    if (within[i] == 0) result.unmoved.push_back(names_[static_cast<std::size_t>(i)]);
  }
  result.nothing_moves = values > 0 && result.unmoved.size() == names_.size();
  return result;
}

}  // namespace gadwall::session
