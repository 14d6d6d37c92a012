#include "samplers/gad.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "adapters/speed_measure.hpp"
#include "gadwall/error.hpp"
#include "kernels/chosen.hpp"
#include "kernels/hmc.hpp"
#include "kernels/langevin.hpp"
#include "kernels/random_walk.hpp"
#include "meetings/gather.hpp"
#include "meetings/pooled_drift.hpp"
#include "meetings/pooled_speed.hpp"

namespace gadwall {
namespace {

constexpr Index kAngleIterations = 1000;
constexpr Index kShapePoints = 60;  // beyond them, for each dimension
constexpr double kMostDrift = 0.5;  // of warm-up, for both
constexpr double kMostAngle = 0.2;  // for the angle alone

// A low rank L gets its directions after so many iterations, at most one part in so many of
// warm-up.
constexpr Index kMostSeedIterations = 1000;
constexpr Index kSeedShare = 4;

// Of beta, for low rank: where directions are new L has far to grow, at a rate that no beta makes
// faster, and a beta that rises all the while comes down too late.
constexpr double kLowRankCeiling = 100;

using MakeKernel = std::function<std::unique_ptr<Kernel>()>;

/// Settled warm-ups end by a meeting, and so does every iteration of those that pool.
void add_meeting(const SpeedMeasureOptions& learner, const Circumstances& c, Stage& learning) {
  const SettlingOptions settling{.target_accept = learner.target_accept};
  if (learner.pool) {
    learning.meeting = [learner, settling, settles = c.settles] {
      return std::make_unique<PooledSpeed>(
          learner, settles ? std::optional<SettlingOptions>(settling) : std::nullopt);
    };
  } else if (c.settles) {
    learning.meeting = [settling] { return std::make_unique<SettlingMeeting>(settling); };
  }
}

/// Low rank has a ceiling of its own, unless another is given.
void bound_beta(SpeedMeasureOptions& o) {
  const bool is_default = o.beta_ceiling == SpeedMeasureOptions{}.beta_ceiling;
  if (o.metric == Metric::low_rank && is_default) o.beta_ceiling = kLowRankCeiling;
  if (o.beta_floor <= o.beta_ceiling) return;
  throw UsageError(fmt::format("`beta-floor` is {:g}, expected at most the ceiling of beta, {:g}",
                               o.beta_floor, o.beta_ceiling));
}

/// [scout,] warm-up, draws.
std::vector<Stage> gad_stages(GadOptions o, const Circumstances& c, const MakeKernel& kernel) {
  const Index scouted = o.scout.length(c);
  o.learner.relative = o.scout.iterations > 0;
  bound_beta(o.learner);
  o.learner.seed_at = std::min(kMostSeedIterations, (c.warmup - scouted) / kSeedShare);
  std::vector<Stage> stages = learn_then_draw(
      c, kernel, [learner = o.learner] { return std::make_unique<SpeedMeasureAdapter>(learner); });
  Stage& learning = stages.front();
  learning.most = c.warmup - scouted;
  add_meeting(o.learner, c, learning);
  if (scouted == 0) return stages;
  learning.hand_over = [metric = o.learner.metric](std::span<const Tuning* const> found) {
    return scouted_tuning(*found.front(), metric);
  };
  stages.insert(stages.begin(), scout_stage(o.scout, o.learner.metric, c));
  return stages;
}

/// L as it was learnt, and one shear step; its angle is a given tuning's where nothing is learnt.
Tuning exact_drift(const Tuning& found, const GadLangevinOptions& o, bool is_learnt) {
  Tuning tuning = found;
  tuning.trajectory = TrajectoryPlan{Integrator::shear, 1, o.persistence};
  tuning.step = is_learnt ? std::min(1.0, o.angle.most) : std::min(found.step, o.angle.most);
  return tuning;
}

/// A share of what a scout leaves of warm-up, so that L is learnt, too.
Index drift_iterations(const GadLangevinOptions& o, const Circumstances& c) {
  const auto left = static_cast<double>(c.warmup - o.scout.length(c));
  const auto share = [&](double of) { return static_cast<Index>(of * left); };
  if (!o.corrects()) return std::min(kAngleIterations, share(kMostAngle));
  return std::min(kAngleIterations + kShapePoints * c.dim / c.lanes, share(kMostDrift));
}

/// Half of warm-up is not for a correction that its points are too few for: L is then as learnt.
GadLangevinOptions without_vain_correction(GadLangevinOptions o, const Circumstances& c) {
  if (!o.corrects()) return o;
  const DriftOptions drift{
      .angle = {}, .metric = o.learner.metric, .iterations = drift_iterations(o, c)};
  const Index learners = o.learner.pool ? std::min(c.chains, kPooledChains) : c.lanes;
  if (corrected_iterations(drift) * learners < least_points(o.learner.metric, c.dim)) {
    o.shape = "learnt";
  }
  return o;
}

/// After L has been learnt as published: its shape for the exact drift, and the angle.
Stage drift_stage(const GadLangevinOptions& o, const Circumstances& c) {
  const DriftOptions learner{.angle = o.angle,
                             .metric = o.learner.metric,
                             .rank = o.learner.rank,
                             .correct = o.corrects(),
                             .pool = o.learner.pool,
                             .iterations = drift_iterations(o, c)};
  Stage stage{.name = o.corrects() ? "shape and angle" : "angle",
              .most = learner.iterations,
              .lanes = c.lanes};
  stage.adapter = [learner] { return std::make_unique<DriftAdapter>(learner); };
  if (learner.pool) stage.meeting = [learner] { return std::make_unique<PooledDrift>(learner); };
  stage.hand_over = [o, learnt = c.warmup > 0](std::span<const Tuning* const> found) {
    return exact_drift(*found.front(), o, learnt);
  };
  return stage;
}

}  // namespace

std::vector<Stage> gad_walk_stages(const GadOptions& options, const Circumstances& c) {
  return gad_stages(options, c, [] { return std::make_unique<RandomWalk>(); });
}

std::vector<Stage> gad_langevin_stages(const GadLangevinOptions& given, const Circumstances& c) {
  const MakeKernel langevin = [] { return std::make_unique<Langevin>(); };
  if (given.drift == "published") return gad_stages(given, c, langevin);
  const GadLangevinOptions options = without_vain_correction(given, c);
  GadOptions learning = options;
  learning.learner.rescale = true;
  std::vector<Stage> stages = gad_stages(learning, c, langevin);
  Stage& draws = stages.back();
  draws.kernel = [careful = options.careful, refinement = options.refinement] {
    return std::make_unique<Chosen>(
        ChosenOptions{.jitter = 0, .careful = careful, .refinement = refinement});
  };
  Stage drift = drift_stage(options, c);
  drift.kernel = draws.kernel;
  stages[stages.size() - 2].most -= drift.most;
  stages.insert(stages.end() - 1, std::move(drift));
  return stages;
}

std::vector<Stage> gad_hmc_stages(const GadHmcOptions& options, const Circumstances& c) {
  GadOptions learning = options;
  learning.learner.step = 1 / static_cast<double>(options.learner.leapfrogs);
  const HmcOptions kernel{.leapfrogs = options.learner.leapfrogs,
                          .jitter = options.jitter,
                          .max_energy_error = options.max_energy_error};
  return gad_stages(learning, c, [kernel] { return std::make_unique<Hmc>(kernel); });
}

}  // namespace gadwall
