#include "samplers/auto.hpp"

#include <algorithm>
#include <memory>

#include "adapters/alone.hpp"
#include "adapters/paths.hpp"
#include "adapters/points.hpp"
#include "kernels/first_lane.hpp"
#include "kernels/nuts.hpp"
#include "meetings/arrival.hpp"

namespace gadwall {
namespace {

constexpr Index kWalkers = 4;     // at least: lanes that look for the bulk; the others wait
constexpr Index kDepthAlone = 6;  // a lane on its way needs no long trajectories
constexpr Index kDepthPooled = 5;
constexpr Index kMostAlone = 96;  // iterations
constexpr Index kMostChoice = 400;

/// The most lanes that leave so many walkers and divide those of the later stages: no lane then
/// changes its process, so that as many processes can share the run as it has batches.
Index lanes_alone(const Circumstances& c) {
  Index lanes = std::clamp<Index>(c.chains / kWalkers, 1, c.lanes);
  while (c.lanes % lanes != 0) --lanes;
  return lanes;
}

Stage alone_stage(Index most, const Circumstances& c) {
  Stage stage{.name = "alone", .most = most, .lanes = lanes_alone(c), .climbs = true};
  stage.kernel = [] {
    return std::make_unique<FirstLane>(
        std::make_unique<Nuts>(NutsOptions{.max_depth = kDepthAlone}));
  };
  stage.adapter = [] { return std::make_unique<AloneAdapter>(AloneOptions{}); };
  stage.meeting = [] { return std::make_unique<Arrival>(ArrivalOptions{}); };
  return stage;
}

Tuning first_of(std::span<const Tuning* const> found) {
  return *found.front();
}

Stage pooled_stage(const AutoOptions& o, Index most, const Circumstances& c) {
  Stage stage{.name = "pooled", .most = most, .lanes = c.lanes};
  stage.kernel = [integrator = o.pooling.integrator] {
    return std::make_unique<Nuts>(NutsOptions{.max_depth = kDepthPooled, .integrator = integrator});
  };
  stage.adapter = [] { return std::make_unique<PointsAdapter>(); };
  stage.meeting = [pooling = o.pooling] { return std::make_unique<Pooling>(pooling); };
  stage.hand_over = first_of;  // all have the same
  return stage;
}

Stage trajectory_stage(const AutoOptions& o, Index most, const Circumstances& c) {
  Stage stage{.name = "trajectory", .most = most, .lanes = c.lanes};
  stage.kernel = [draws = o.draws] { return std::make_unique<Chosen>(draws); };
  stage.adapter = [] { return std::make_unique<PathsAdapter>(); };
  stage.meeting = [choice = o.choice] { return std::make_unique<Choice>(choice); };
  stage.hand_over = [choice = o.choice](std::span<const Tuning* const> found) {
    return Choice::first_tuning(*found.front(), choice);
  };
  return stage;
}

}  // namespace

std::vector<Stage> auto_stages(AutoOptions options, const Circumstances& c) {
  options.choice.largest_step = options.pooling.largest_step;
  options.choice.integrator = options.pooling.integrator;
  Stage draws{.name = "draws", .most = c.iterations, .lanes = c.lanes};
  draws.kernel = [o = options.draws] { return std::make_unique<Chosen>(o); };
  if (c.warmup == 0) return {draws};
  const Index choosing = std::min(kMostChoice, c.warmup / 3);
  const Index alone = c.is_tuned || options.alone == "off" ? 0 : std::min(kMostAlone, c.warmup / 4);
  std::vector<Stage> stages;
  if (alone > 0) stages.push_back(alone_stage(alone, c));
  stages.push_back(pooled_stage(options, c.warmup - alone - choosing, c));
  stages.push_back(trajectory_stage(options, choosing, c));
  stages.push_back(draws);
  return stages;
}

}  // namespace gadwall
