#include "meetings/gather.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "adapters/score_metric.hpp"

namespace gadwall {

GatheredPoints::GatheredPoints(std::span<const Points> batches) {
  Index columns = 0;
  for (const Points& batch : batches) columns += batch.x().cols();
  const Index n = batches.empty() ? 0 : batches.front().x().rows();
  x.resize(n, columns);
  scores.resize(n, columns);
  logp.resize(columns);
  Index at = 0;
  for (const Points& batch : batches) {
    const Index count = batch.x().cols();
    x.middleCols(at, count) = batch.x();
    scores.middleCols(at, count) = batch.scores();
    logp.segment(at, count) = batch.logp();
    for (Index c = 0; c < count; ++c) lane.push_back(lanes + c % batch.lanes());
    lanes += batch.lanes();
    at += count;
  }
}

double rhat_of_lanes(const GatheredPoints& points) {
  const auto lanes = static_cast<double>(points.lanes);
  const double length = static_cast<double>(points.x.cols()) / lanes;
  if (points.lanes < 2 || length < 2) return 1;
  Matrix means = Matrix::Zero(points.x.rows(), points.lanes);
  for (Index c = 0; c < points.x.cols(); ++c) {
    means.col(points.lane[static_cast<std::size_t>(c)]) += points.x.col(c) / length;
  }
  Vector within = Vector::Zero(points.x.rows());
  for (Index c = 0; c < points.x.cols(); ++c) {
    within += (points.x.col(c) - means.col(points.lane[static_cast<std::size_t>(c)])).cwiseAbs2();
  }
  within /= lanes * (length - 1);
  const Vector between =
      (means.colwise() - means.rowwise().mean().eval()).rowwise().squaredNorm() / (lanes - 1);
  double worst = 1;
  for (Index j = 0; j < within.size(); ++j) {
    const double rhat = std::sqrt((length - 1) / length + between[j] / within[j]);
    if (rhat > worst) worst = rhat;
  }
  return worst;
}

double linearity_of_lanes(const GatheredPoints& points) {
  constexpr double kLeastPoints = 2;  // per dimension, of each half
  std::vector<Index> first, second;
  for (Index c = 0; c < points.x.cols(); ++c) {
    const bool is_first = points.lane[static_cast<std::size_t>(c)] < points.lanes / 2;
    (is_first ? first : second).push_back(c);
  }
  const double least = kLeastPoints * static_cast<double>(points.x.rows());
  if (static_cast<double>(std::min(first.size(), second.size())) < least)
    return std::numeric_limits<double>::quiet_NaN();
  const Matrix x = points.x(Eigen::all, first);
  const Matrix scores = points.scores(Eigen::all, first);
  const Vector scales = score_scales(x, scores, Vector::Ones(x.rows()));
  return score_linearity(x, scores, points.x(Eigen::all, second), points.scores(Eigen::all, second),
                         scales);
}

double lowest_level(std::vector<double> levels, Index n) {
  const auto middle = levels.begin() + static_cast<std::ptrdiff_t>(levels.size() / 2);
  std::ranges::nth_element(levels, middle);
  return *middle - std::max(20.0, 2 * static_cast<double>(n));
}

void replace_lost(const std::vector<Index>& good, const std::vector<Index>& lost,
                  std::span<Member> mine, Team& team) {
  for (std::size_t i = 0; i < lost.size(); ++i) {
    copy_lane(good[i % good.size()], lost[i], mine, team);
  }
}

double gradients_of_all(std::span<Member> mine, Team& team) {
  std::vector<double> counts;
  for (const Member& member : mine) {
    counts.push_back(static_cast<double>(member.density.tally().gradients));
  }
  counts = gather_by_batch(std::move(counts), team);
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

}  // namespace gadwall
