// Block means of a chain, and what they tell of it.
#include "session/block_means.hpp"

#include <algorithm>
#include <limits>

namespace gadwall::session {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Vector row_variances(const Eigen::Ref<const Matrix>& rows) {
  const Vector means = rows.rowwise().mean();
  return (rows.colwise() - means).rowwise().squaredNorm() / static_cast<double>(rows.cols() - 1);
}

void BlockMeans::add(ConstVectorRef x) {
  if (draws_ == 0) {
    centre_ = x;
    for (Vector* sums : {&sum_, &squares_, &cubes_, &fourths_}) sums->setZero(values_);
    for (Matrix* blocks : {&means_, &square_means_, &first_draws_}) {
      blocks->resize(values_, most_blocks_);
    }
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
  if (++blocks_ == most_blocks_) join_neighbours();
}

void BlockMeans::join_neighbours() {
  for (Index b = 0; b < most_blocks_ / 2; ++b) {
    means_.col(b) = (means_.col(2 * b) + means_.col(2 * b + 1)).eval() / 2;
    square_means_.col(b) = (square_means_.col(2 * b) + square_means_.col(2 * b + 1)).eval() / 2;
    first_draws_.col(b) = first_draws_.col(2 * b).eval();
  }
  blocks_ = most_blocks_ / 2;
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

}  // namespace gadwall::session
