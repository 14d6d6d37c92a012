#include <fmt/format.h>

#include <array>
#include <utility>

#include "gadwall/error.hpp"
#include "gadwall/trajectory.hpp"
#include "gadwall/tuning.hpp"
#include "gadwall/warp.hpp"
#include "text/nearest_name.hpp"

namespace gadwall {
namespace {

constexpr std::array<std::pair<Integrator, const char*>, 3> kIntegrators{
    {{Integrator::leapfrog, "leapfrog"},
     {Integrator::shear, "shear"},
     {Integrator::two_stage, "two-stage"}}};

}  // namespace

std::string to_string(Integrator integrator) {
  for (const auto& [known, name] : kIntegrators) {
    if (known == integrator) return name;
  }
  return "";
}

Integrator integrator_from_string(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [integrator, known] : kIntegrators) {
    if (name == known) return integrator;
    names.emplace_back(known);
  }
  refuse_unknown("integrator", name, names);
}

void TrajectoryPlan::archive(Archive& a) {
  std::string name = to_string(integrator);
  a("integrator", name);
  integrator = integrator_from_string(name);
  a("most steps", most_steps);
  a("persistence", persistence);
  a("per draw", per_draw);
}

TrajectoryPlan trajectory_plan(const std::string& integrator, double most_steps, double persistence,
                               double per_draw) {
  constexpr double kMostSteps = 1e9;
  constexpr double kMostPerDraw = 1e6;
  if (!(most_steps >= 0 && most_steps <= kMostSteps)) {
    throw UsageError(fmt::format("most_steps is {}, expected 0 to {}", most_steps, kMostSteps));
  }
  if (!(persistence >= 0 && persistence < 1)) {
    throw UsageError(fmt::format("persistence is {}, expected 0 to below 1", persistence));
  }
  if (!(per_draw >= 1 && per_draw <= kMostPerDraw)) {
    throw UsageError(
        fmt::format("trajectories_per_draw is {}, expected 1 to {}", per_draw, kMostPerDraw));
  }
  return {integrator_from_string(integrator), static_cast<Index>(most_steps), persistence,
          static_cast<Index>(per_draw)};
}

void Tuning::archive(Archive& a) {
  a("step", step);
  a("factor", factor_);
  a("version", version_);
  bool has_trajectory = trajectory.has_value();
  a("has trajectory", has_trajectory);
  if (has_trajectory && !trajectory) trajectory.emplace();
  if (!has_trajectory) trajectory.reset();
  if (trajectory) a("trajectory", *trajectory);
  bool has_warp = warp != nullptr;
  a("has warp", has_warp);
  if (!has_warp) return warp.reset();
  Warp copy = warp ? *warp : Warp();
  a("warp", copy);
  warp = std::make_shared<const Warp>(std::move(copy));
}

}  // namespace gadwall
