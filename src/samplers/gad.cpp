#include "samplers/gad.hpp"

#include <algorithm>
#include <memory>

#include "adapters/speed_measure.hpp"
#include "kernels/chosen.hpp"
#include "kernels/hmc.hpp"
#include "kernels/langevin.hpp"
#include "kernels/random_walk.hpp"
#include "meetings/pooled_speed.hpp"

namespace gadwall {
namespace {

constexpr Index kMostAngleIterations = 1000;
constexpr Index kAngleShare = 5;  // of warm-up, at most one part in so many

// A low rank L gets its directions after so many iterations, at most one part in so many of
// warm-up.
constexpr Index kMostSeedIterations = 1000;
constexpr Index kSeedShare = 4;

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

/// [scout,] warm-up, draws.
std::vector<Stage> gad_stages(GadOptions o, const Circumstances& c, const MakeKernel& kernel) {
  const Index scouted = o.scout.length(c);
  o.learner.relative = o.scout.iterations > 0;
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
Tuning exact_drift(const Tuning& found, const AngleOptions& angle, bool is_learnt) {
  Tuning tuning = found;
  tuning.trajectory = TrajectoryPlan{Integrator::shear, 1};
  tuning.step = is_learnt ? std::min(1.0, angle.most) : std::min(found.step, angle.most);
  return tuning;
}

}  // namespace

std::vector<Stage> gad_walk_stages(const GadOptions& options, const Circumstances& c) {
  return gad_stages(options, c, [] { return std::make_unique<RandomWalk>(); });
}

std::vector<Stage> gad_langevin_stages(const GadLangevinOptions& options, const Circumstances& c) {
  const MakeKernel langevin = [] { return std::make_unique<Langevin>(); };
  if (options.drift == "published") return gad_stages(options, c, langevin);
  GadOptions learning = options;
  learning.learner.rescale = true;
  std::vector<Stage> stages = gad_stages(learning, c, langevin);
  const Index choosing = std::min(kMostAngleIterations, c.warmup / kAngleShare);
  stages[stages.size() - 2].most -= choosing;
  Stage& draws = stages.back();
  draws.kernel = [careful = options.careful] {
    return std::make_unique<Chosen>(
        ChosenOptions{.jitter = 0, .careful = careful, .refinement = {}});
  };
  Stage angle{.name = "angle", .most = choosing, .lanes = c.lanes, .kernel = draws.kernel};
  angle.adapter = [o = options.angle] { return std::make_unique<AngleAdapter>(o); };
  angle.hand_over = [o = options.angle,
                     learnt = c.warmup > 0](std::span<const Tuning* const> found) {
    return exact_drift(*found.front(), o, learnt);
  };
  stages.insert(stages.end() - 1, std::move(angle));
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
