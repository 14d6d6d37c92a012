// Estimates while the draws come.
#include "session/live_estimates.hpp"

#include <algorithm>
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

constexpr Index kMostBlocks = 128;
constexpr Index kFewBlocks = 32;     // below this they say nothing
constexpr Index kMostValues = 4096;  // of a draw; of more, every second, third, ... is followed
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Of each row, about its mean.
Vector row_variances(const Eigen::Ref<const Matrix>& rows) {
  const Vector means = rows.rowwise().mean();
  return (rows.colwise() - means).rowwise().squaredNorm() / static_cast<double>(rows.cols() - 1);
}

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
/// moments tell an R-hat of tens where ranks tell three.
LiveEstimates::Quality LiveEstimates::with_ranks(Quality q, const Matrix& some_draws) {
  const SortedEntries sorted = sort_entries(some_draws);
  Matrix scores = normal_scores(sorted, some_draws.rows(), some_draws.cols());
  const double rhat = rhat_of_ranks(scores, sorted, median_of(some_draws));
  if (!(rhat > clear_rhat(some_draws))) return {q.ess, std::fmin(q.rhat, rhat)};
  q.ess = std::fmin(q.ess, ess_of_chains(std::move(scores)));
  for (const double p : {0.05, 0.95}) {
    q.ess = std::fmin(q.ess, ess_of_indicator(some_draws, quantile(some_draws, p)));
  }
  return {q.ess, rhat};
}

void BlockMeans::add(ConstVectorRef x) {
  if (draws_ == 0) {
    centre_ = x;
    for (Vector* sums : {&sum_, &squares_, &cubes_, &fourths_}) sums->setZero(values_);
    means_.resize(values_, kMostBlocks);
    square_means_.resize(values_, kMostBlocks);
    first_draws_.resize(values_, kMostBlocks);
  }
  if (in_block_ == 0) first_draws_.col(blocks_) = x;
  for (Index i = 0; i < values_; ++i) {  // one pass: this is all that a draw costs
    const double distance = x[i] - centre_[i];
    const double square = distance * distance;
    sum_[i] += distance;
    squares_[i] += square;
    cubes_[i] += distance * square;
    fourths_[i] += square * square;
  }
  ++draws_;
  if (++in_block_ == block_draws_) close_block();
}

void BlockMeans::close_block() {
  const auto length = static_cast<double>(block_draws_);
  means_.col(blocks_) = sum_ / length;
  square_means_.col(blocks_) = squares_ / length;
  sum_.setZero();
  squares_.setZero();
  in_block_ = 0;
  if (++blocks_ == kMostBlocks) join_neighbours();
}

void BlockMeans::join_neighbours() {
  for (Index b = 0; b < kMostBlocks / 2; ++b) {
    means_.col(b) = (means_.col(2 * b) + means_.col(2 * b + 1)).eval() / 2;
    square_means_.col(b) = (square_means_.col(2 * b) + square_means_.col(2 * b + 1)).eval() / 2;
    first_draws_.col(b) = first_draws_.col(2 * b).eval();
  }
  blocks_ = kMostBlocks / 2;
  block_draws_ *= 2;
}

/// Of the closed blocks, as everything that follows.
Vector BlockMeans::mean() const {
  if (blocks_ == 0) return Vector::Constant(values_, kNaN);
  return centre_ + means_.leftCols(blocks_).rowwise().mean();
}

Vector BlockMeans::variance() const {
  if (blocks_ == 0) return Vector::Constant(values_, kNaN);
  return square_means_.leftCols(blocks_).rowwise().mean() -
         means_.leftCols(blocks_).rowwise().mean().cwiseAbs2();
}

Vector BlockMeans::quick_ess() const {
  if (blocks_ < kFewBlocks) return Vector::Constant(values_, kNaN);
  // About the mean m, (x - m)^2 = (x - c)^2 - 2 (m - c)(x - c) + const. Its own variance is taken
  // as 2 var(x)^2, that of a normal.
  const Matrix x = means_.leftCols(blocks_);
  const Vector shift = x.rowwise().mean();
  const Matrix squares =
      square_means_.leftCols(blocks_) - 2 * (x.array().colwise() * shift.array()).matrix();
  const Vector variances = variance();
  const double blocks = static_cast<double>(blocks_);
  const Vector of_x = blocks * variances.cwiseQuotient(row_variances(x));
  const Vector of_squares =
      blocks * (2 * variances.cwiseAbs2()).cwiseQuotient(row_variances(squares));
  return of_x.cwiseMin(of_squares);
}

/// E (x - m)^4 - (E (x - m)^2)^2 with m - c = d from the moments about c.
double BlockMeans::square_variance(Index value) const {
  const auto row = square_means_.row(value).head(blocks_);
  const double n = static_cast<double>(draws_);
  const double d = means_.row(value).head(blocks_).mean();
  const double second = row.mean();
  const double fourth =
      fourths_[value] / n - 4 * d * cubes_[value] / n + 6 * d * d * second - 3 * d * d * d * d;
  const double variance = second - d * d;
  return std::max(0.0, fourth - variance * variance);
}

BlockMeans::Series BlockMeans::series(Index value, Index length, double centre) const {
  const Index joined = length / block_draws_;
  const Index count = blocks_ / joined;
  const double shift = centre_[value] - centre;
  Series result{Vector(count), Vector(count), Vector(count)};
  for (Index b = 0; b < count; ++b) {
    const double mean = means_.row(value).segment(b * joined, joined).mean();
    const double square = square_means_.row(value).segment(b * joined, joined).mean();
    result.means[b] = mean + shift;
    result.squares[b] = square + 2 * shift * mean + shift * shift;
    result.draws[b] = first_draws_(value, b * joined);
  }
  return result;
}

LiveEstimates::LiveEstimates(const RunPlan& plan) {
  const std::vector<std::string> all = plan.output_names();
  const PlannedFacts facts = plan.facts();
  const auto values = static_cast<Index>(all.size());
  const Index stride = (values + kMostValues - 1) / kMostValues;
  for (Index i = 0; i < values; i += stride) {
    const std::string& name = all[static_cast<std::size_t>(i)];
    if (!facts.is_judged(name)) continue;
    followed_.push_back(i);
    names_.push_back(name);
  }
  chains_.resize(static_cast<std::size_t>(plan.run.chains),
                 BlockMeans(static_cast<Index>(names_.size())));
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
  Index blocks = kMostBlocks;
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
