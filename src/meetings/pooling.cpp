#include "meetings/pooling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "adapters/running_covariance.hpp"
#include "adapters/score_metric.hpp"
#include "meetings/gather.hpp"
#include "warps/find_warp.hpp"
#include "warps/rewarp.hpp"
#include "warps/words.hpp"

namespace gadwall {
namespace {

constexpr Index kShortest = 8;  // iterations of a first window
constexpr Index kLongest = 30;
constexpr double kNearGaussian = 0.95;  // linearity from which one window says all of the metric

/// Halves of the lanes: what is learnt from the first is judged by the second.
std::vector<bool> is_in_first_half(const GatheredPoints& points) {
  std::vector<bool> is_first;
  for (const Index lane : points.lane) is_first.push_back(lane < points.lanes / 2);
  return is_first;
}

/// A new change of variables replaces the present one where it is clearly better, and where it
/// moves more coordinates and is no worse: one of a window in which lanes had not met has missed
/// some.
bool replaces(const FoundWarp& found, const Warp& old, double present, double better) {
  if (found.divergence < better * present) return true;
  return found.divergence < present && moved_coordinates(found.warp) > moved_coordinates(old);
}

/// form: diag or dense.
std::optional<Factor> draw_metric(Metric form, const Matrix& x) {
  RunningCovariance draws(form, x.rows());
  for (const auto& point : x.colwise()) draws.add(point);
  return Factor::from_covariance(form, draws.shrunk());
}

/// For the record, which has no NaN.
std::variant<double, std::string> linearity_words(double linearity) {
  if (std::isnan(linearity)) return "not known: too few points";
  return linearity;
}

/// The mean log density of each lane over its points.
std::vector<double> levels_of(const Points& points) {
  std::vector<double> levels(static_cast<std::size_t>(points.lanes()), 0);
  const auto length = static_cast<double>(points.iterations());
  for (Index c = 0; c < points.logp().size(); ++c) {
    levels[static_cast<std::size_t>(c % points.lanes())] += points.logp()[c] / length;
  }
  return levels;
}

}  // namespace

void Pooling::begin(std::span<Member> mine, Team& team) {
  const auto batches =
      static_cast<Index>(gather_by_batch(std::vector<double>(mine.size()), team).size());
  const Index lanes = std::min(kPooledChains, batches * mine.front().state.lanes());
  const Index n = std::min(mine.front().state.dim(), kLargestDense);
  const Index wanted = (kDensePoints * n + lanes - 1) / lanes;
  window_ =
      options_.first_window > 0 ? options_.first_window : std::clamp(wanted, kShortest, kLongest);
  window_end_ = window_;
  gradients_before_ = gradients_of_all(mine, team);
  averaging_.restart(std::min(mine.front().tuning.step, options_.largest_step), 2);
  if (options_.warp == "off") forget_warp(mine);
  warp_is_given_ = mine.front().tuning.warp != nullptr;
  begun_ = true;
}

bool Pooling::hold(std::span<Member> mine, Team& team) {
  if (!begun_) begin(mine, team);
  const double step = averaging_.learn(acceptance_.since_last(mine, team));
  for (Member& member : mine) member.tuning.step = std::min(step, options_.largest_step);
  return mine.front().iterations >= window_end_ && end_window(mine, team);
}

bool Pooling::end_window(std::span<Member> mine, Team& team) {
  std::vector<Points> batches;
  for (Member& member : mine) {
    Points& own = adapter_of<PointsAdapter>(member).points;
    if (is_pooled(member)) batches.push_back(own);
    own.keep_last(window_);
  }
  batches = gather_values(std::move(batches), team);
  const bool is_warped_anew = renew_warp(batches, mine);
  const GatheredPoints all(batches);
  for (Points& batch : batches) batch.keep_last(window_);
  const GatheredPoints last(batches);
  const bool is_enough = last.x.cols() >= kEnoughPoints * last.x.rows();
  const double drift = renew_metric(is_enough ? last : all, mine);
  const Index lost = free_lost(mine, team);
  const double rhat = rhat_of_lanes(last);
  linearity_ = linearity_of_lanes(last);
  ++windows_;
  const double spent = gradients_of_all(mine, team) - gradients_before_;
  const std::vector<Note> row = {
      {"window", static_cast<double>(window_)},
      {"metric", to_string(mine.front().tuning.factor().kind())},
      {"R-hat of lanes", rhat},
      {"lost and replaced", static_cast<double>(lost)},
      {"change of scales", drift},
      {"linearity of scores", linearity_words(linearity_)},
      {"warp", warp_words(mine.front().tuning.warp.get(), mine.front().density.target().names())},
      {"gradients", spent}};
  findings_.insert(findings_.end(), row.begin(), row.end());
  const Index needed = linearity_ > kNearGaussian ? 1 : 2;
  const bool is_settled = windows_ >= needed && !is_warped_anew && lost == 0 &&
                          rhat < options_.rhat && drift < options_.scale_tolerance;
  if (is_settled || windows_ >= options_.most_windows || spent > options_.most_gradients)
    return true;
  window_ *= 2;
  window_end_ += window_;
  averaging_.restart(options_.largest_step, 1);  // in whitened coordinates the step is about 1
  return false;
}

/// Of the present window, without the points of the one before.
double Pooling::linearity_of_window(std::vector<Points> batches) const {
  for (Points& batch : batches) batch.keep_last(window_);
  return linearity_of_lanes(GatheredPoints(batches));
}

/// True: the lanes, their points and `batches`, those that are pooled, are in new coordinates.
bool Pooling::renew_warp(std::vector<Points>& batches, std::span<Member> mine) {
  if (options_.warp == "off" || warp_is_given_ || warps_ >= options_.most_warps) return false;
  const std::shared_ptr<const Warp> old = mine.front().tuning.warp;
  if (!old && !(linearity_of_window(batches) <= kNearGaussian)) return false;
  GatheredPoints gathered(batches);
  const std::vector<bool> is_fitted = is_in_first_half(gathered);
  ScoredPoints points{std::move(gathered.x), std::move(gathered.scores)};
  const double present = divergence_of_halves(points, is_fitted);
  if (old && present < WarpSearch{}.least_plain) return false;
  rewarp(old.get(), nullptr, points.x, gathered.logp, points.scores);
  WarpSearch search;
  if (windows_ == 0) search.few_dimensions = 0;  // lanes on their way to the bulk fit anything
  std::optional<FoundWarp> found = find_warp(points, is_fitted, search);
  if (!found || (old && !replaces(*found, *old, present, options_.better_warp))) return false;
  const auto warp = std::make_shared<const Warp>(std::move(found->warp));
  for (Points& batch : batches) batch.rewarp(old.get(), warp.get());
  for (Member& member : mine) {
    adapter_of<PointsAdapter>(member).points.rewarp(old.get(), warp.get());
    rewarp(old.get(), warp.get(), member.state);
    member.tuning.warp = warp;
  }
  ++warps_;
  return true;
}

/// One that a tuning brought; its metric belongs to it.
void Pooling::forget_warp(std::span<Member> mine) const {
  for (Member& member : mine) {
    if (!member.tuning.warp) continue;
    rewarp(member.tuning.warp.get(), nullptr, member.state);
    adapter_of<PointsAdapter>(member).points.rewarp(member.tuning.warp.get(), nullptr);
    member.tuning.warp = nullptr;
    member.tuning.change_factor() = Factor::first(Metric::diag, member.state.dim(), 1);
  }
}

/// How many lanes were lost in the window.
Index Pooling::free_lost(std::span<Member> mine, Team& team) const {
  std::vector<double> levels;
  for (Member& member : mine) {
    const std::vector<double> own = levels_of(adapter_of<PointsAdapter>(member).points);
    levels.insert(levels.end(), own.begin(), own.end());
  }
  levels = gather_by_batch(std::move(levels), team);
  const double lowest = lowest_level(levels, mine.front().state.dim());
  std::vector<Index> good, lost;
  for (Index lane = 0; lane < static_cast<Index>(levels.size()); ++lane) {
    (levels[static_cast<std::size_t>(lane)] < lowest ? lost : good).push_back(lane);
  }
  replace_lost(good, lost, mine, team);
  return static_cast<Index>(lost.size());
}

/// The largest change of a log scale.
double Pooling::renew_metric(const GatheredPoints& points, std::span<Member> mine) const {
  const Factor old = mine.front().tuning.factor();
  const Vector scales = old.covariance_diagonal().cwiseSqrt();
  const Metric form = options_.metric == "auto" ? form_for(points.x.rows(), points.x.cols())
                                                : metric_from_string(options_.metric);
  const std::optional<Factor> found = options_.from == "draws"
                                          ? draw_metric(form, points.x)
                                          : score_metric(form, points.x, points.scores, scales);
  if (!found || !found->is_finite()) return std::numeric_limits<double>::infinity();
  for (Member& member : mine) member.tuning.change_factor() = *found;
  return (found->log_scales() - old.log_scales()).cwiseAbs().maxCoeff();
}

/// On a curved target no linear map makes one step right everywhere: trajectories that end where
/// they turn, and shorter steps, are what is robust there.
bool Pooling::is_curved() const {
  return linearity_ < options_.least_linearity;
}

void Pooling::finish(std::span<Member> mine, Team&) {
  if (!begun_) return;
  for (Member& member : mine) {
    member.tuning.step = std::min(averaging_.average(), options_.largest_step);
    if (is_curved()) member.tuning.trajectory = TrajectoryPlan{options_.integrator, 0};
  }
}

void Pooling::archive(Archive& a) {
  a("averaging", averaging_);
  a("begun", begun_);
  a("gradients before", gradients_before_);
  a("window", window_);
  a("window end", window_end_);
  a("windows", windows_);
  a("linearity", linearity_);
  a("warps", warps_);
  a("warp is given", warp_is_given_);
  archive_notes(a, findings_);
  a("acceptance", acceptance_);
}

}  // namespace gadwall
