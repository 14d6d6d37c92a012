#include "adapters/speed_measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "adapters/trajectory_entropy.hpp"
#include "gadwall/error.hpp"

namespace gadwall {
namespace {

constexpr Index kMostSeedPoints = 400;  // of a batch

void require_form(Metric form) {
  if (form != Metric::unit) return;
  throw UsageError(fmt::format("the speed measure learns a factor that is {}, {} or {}, not {}",
                               DiagonalFactor::name, LowerFactor::name, LowRankFactor::name,
                               to_string(form)));
}

}  // namespace

Wants SpeedMeasureAdapter::wants() const {
  return {.gradient = true,
          .curvature = options_.proposal == ProposalKind::langevin_exact,
          .impulses = options_.proposal == ProposalKind::leapfrog};
}

Tuning SpeedMeasureAdapter::initial_tuning(Index n) const {
  require_form(options_.metric);
  const double scale = options_.initial_scale / std::sqrt(static_cast<double>(n));
  return Tuning(Factor::first(options_.metric, n, scale), options_.step);
}

void SpeedMeasureAdapter::start(const State&, Evaluator&, const LaneNoise& noise, Tuning& tuning) {
  require_form(tuning.factor().kind());
  // Batches that pool begin alike, with the directions of the first chain.
  ascent_.start({noise.seed, options_.pool ? 0 : noise.first_chain, noise.iteration}, tuning);
}

void SpeedMeasureAdapter::learn(const Lesson& lesson, Tuning& tuning) {
  gradient_.gather(options_.proposal, lesson, tuning.factor());
  if (options_.leapfrogs > 1) {
    add_trajectory_entropy({options_.leapfrogs, options_.series, beta()}, lesson, tuning,
                           gradient_);
  }
  collect(lesson);
  if (options_.pool) return;
  Factor& L = tuning.change_factor();
  ascent_.ascend(gradient_, L);
  if (lesson.iteration + 1 == options_.seed_at && L.kind() == Metric::low_rank) {
    const Points points = take_points();
    ascent_.seed(points.x(), points.scores(), lesson.noise, L);
  }
}

/// From the second half of the iterations before the directions are sought.
void SpeedMeasureAdapter::collect(const Lesson& lesson) {
  if (options_.metric != Metric::low_rank || lesson.iteration >= options_.seed_at) return;
  const Index first = options_.seed_at / 2;
  const Index all = (options_.seed_at - first) * lesson.before.lanes();
  const Index thin = std::max<Index>(1, all / kMostSeedPoints);
  if (lesson.iteration >= first && (lesson.iteration - first) % thin == 0) points_.add(lesson);
}

void SpeedMeasureAdapter::finish(Tuning& tuning) {
  if (options_.rescale && !options_.pool) ascent_.rescale(tuning);
}

NamedNumbers SpeedMeasureAdapter::record(const RecentMeans& recent, const Tuning& tuning) const {
  return {{"beta", beta()},
          {"objective", recent.log_ratio + beta() * tuning.factor().log_determinant()}};
}

void SpeedMeasureAdapter::archive(Archive& a) {
  ascent_.archive(a);
  a("pooled beta", pooled_beta_);
  a("points", points_);
}

}  // namespace gadwall
