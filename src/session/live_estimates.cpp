#include "session/live_estimates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gadwall::session {
namespace {

constexpr Index kMostBlocks = 128;
constexpr Index kFewBlocks = 32;     // below this their variance says nothing
constexpr Index kMostValues = 4096;  // of a draw; of more, every second, third, ... is followed
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Of each row, about its mean.
Vector row_variances(const Eigen::Ref<const Matrix>& rows) {
  const Vector means = rows.rowwise().mean();
  return (rows.colwise() - means).rowwise().squaredNorm() / static_cast<double>(rows.cols() - 1);
}

/// The position of the smallest number; NaN counts as larger than all.
Index smallest(const Vector& values) {
  Index best = 0;
  for (Index i = 1; i < values.size(); ++i) {
    if (values[i] < values[best] || std::isnan(values[best])) best = i;
  }
  return best;
}

}  // namespace

void BlockMeans::add(ConstVectorRef x) {
  if (draws_ == 0) {
    centre_ = x;
    sum_.setZero(values_);
    squares_.setZero(values_);
    means_.resize(values_, kMostBlocks);
    square_means_.resize(values_, kMostBlocks);
  }
  for (Index i = 0; i < values_; ++i) {  // one pass: this is all that a draw costs
    const double distance = x[i] - centre_[i];
    sum_[i] += distance;
    squares_[i] += distance * distance;
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

Vector BlockMeans::ess() const {
  if (blocks_ < kFewBlocks) return Vector::Constant(values_, kNaN);
  // About the mean m, (x - m)^2 = (x - c)^2 - 2 (m - c)(x - c) + const. Its own variance is taken
  // as 2 var(x)^2, that of a normal: the draws that would tell are gone.
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

LiveEstimates::LiveEstimates(const RunPlan& plan) {
  const std::vector<std::string> all = plan.output_names();
  const auto values = static_cast<Index>(all.size());
  stride_ = (values + kMostValues - 1) / kMostValues;
  for (Index i = 0; i < values; i += stride_) names_.push_back(all[static_cast<std::size_t>(i)]);
  chains_.resize(static_cast<std::size_t>(plan.run.chains),
                 BlockMeans(static_cast<Index>(names_.size())));
}

void LiveEstimates::append(const files::ChainBlock& block) {
  if (block.warmup) return;
  const std::lock_guard lock(mutex_);
  BlockMeans& chain = chains_[static_cast<std::size_t>(block.chain)];
  const auto followed = Eigen::seqN(0, static_cast<Index>(names_.size()), stride_);
  for (Index i = 0; i < block.count; ++i) {
    if (stride_ == 1) {
      chain.add(block.values.col(i));
    } else {
      chain.add(block.values.col(i)(followed));
    }
  }
}

Estimates LiveEstimates::now() const {
  const std::lock_guard lock(mutex_);
  const auto values = static_cast<Index>(names_.size());
  const auto count = static_cast<Index>(chains_.size());
  Estimates result;
  Vector ess = Vector::Zero(values);
  Matrix means(values, count);
  Matrix variances(values, count);
  Index least_draws = std::numeric_limits<Index>::max();
  for (Index c = 0; c < count; ++c) {
    const BlockMeans& chain = chains_[static_cast<std::size_t>(c)];
    const Vector own = chain.ess();
    result.chain_ess.push_back(own[smallest(own)]);
    ess += own;
    means.col(c) = chain.mean();
    variances.col(c) = chain.variance();
    least_draws = std::min(least_draws, chain.draws());
  }
  const Index worst = smallest(ess);
  result.worst_ess = ess[worst];
  result.worst_name = names_[static_cast<std::size_t>(worst)];
  const Vector within = variances.rowwise().mean();
  result.rhat = kNaN;
  if (count > 1 && !std::isnan(result.worst_ess)) {
    const Vector ratio = row_variances(means).cwiseQuotient(within);
    const Index furthest = smallest(-ratio);
    result.rhat = std::sqrt(1 + ratio[furthest]);
    result.rhat_name = names_[static_cast<std::size_t>(furthest)];
  }
  constexpr Index kEnoughToTell = 100;
  for (Index i = 0; i < values && least_draws >= kEnoughToTell; ++i) {
    if (within[i] == 0) result.unmoved.push_back(names_[static_cast<std::size_t>(i)]);
  }
  return result;
}

}  // namespace gadwall::session
