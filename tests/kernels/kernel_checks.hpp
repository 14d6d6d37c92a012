// Tools for the tests of kernels: states, factors of every kind, and every kernel by name.
#pragma once

#include <cctype>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "gadwall/kernel.hpp"
#include "kernels/chosen.hpp"
#include "kernels/hmc.hpp"
#include "kernels/langevin.hpp"
#include "kernels/nuts.hpp"
#include "kernels/random_walk.hpp"

namespace gadwall::testing {

/// The kernel that follows the tuning, with a tuning that says how.
class ChosenAs final : public Kernel {
 public:
  explicit ChosenAs(const TrajectoryPlan& plan) : plan_(plan) {}
  ChosenAs(Integrator integrator, Index most_steps, double persistence = 0)
      : plan_{integrator, most_steps, persistence} {}
  bool uses_gradient() const override { return true; }
  void step(Evaluator& density, const Tuning& tuning, const State& now, const LaneNoise& noise,
            Wants wants, Transition& out) const override {
    Tuning with_plan = tuning;
    with_plan.trajectory = plan_;
    Chosen({.careful = 0.25}).step(density, with_plan, now, noise, wants, out);
  }

 private:
  TrajectoryPlan plan_;
};

struct KernelCase {
  std::string name;
  std::function<std::unique_ptr<Kernel>()> make;
};

inline std::ostream& operator<<(std::ostream& out, const KernelCase& c) {
  return out << c.name;
}

/// A new kernel, or a new way to use one, is one line here.
inline const std::vector<KernelCase>& kernel_cases() {
  static const std::vector<KernelCase> cases = {
      {"RandomWalk", [] { return std::make_unique<RandomWalk>(); }},
      {"Langevin", [] { return std::make_unique<Langevin>(); }},
      {"Hmc", [] { return std::make_unique<Hmc>(HmcOptions{.leapfrogs = 4}); }},
      {"JitteredHmc",
       [] { return std::make_unique<Hmc>(HmcOptions{.leapfrogs = 3, .jitter = 0.5}); }},
      {"Nuts", [] { return std::make_unique<Nuts>(NutsOptions{.max_depth = 6}); }},
      {"ShearHmc",
       [] {
         return std::make_unique<Hmc>(
             HmcOptions{.leapfrogs = 3, .jitter = 0.2, .integrator = Integrator::shear});
       }},
      {"TwoStageHmc",
       [] {
         return std::make_unique<Hmc>(
             HmcOptions{.leapfrogs = 2, .integrator = Integrator::two_stage});
       }},
      {"ShearNuts",
       [] {
         return std::make_unique<Nuts>(
             NutsOptions{.max_depth = 5, .integrator = Integrator::shear});
       }},
      {"ChosenShear", [] { return std::make_unique<ChosenAs>(Integrator::shear, 3); }},
      {"ChosenKeepingMomentum",
       [] { return std::make_unique<ChosenAs>(Integrator::shear, 1, 0.6); }},
      {"ChosenSeveralTimes",
       [] {
         return std::make_unique<ChosenAs>(TrajectoryPlan{Integrator::shear, 2, 0.6, 3});
       }},
      {"ChosenTwoStage", [] { return std::make_unique<ChosenAs>(Integrator::two_stage, 2); }},
      {"RefinedHmc",
       [] {
         return std::make_unique<Hmc>(
             HmcOptions{.leapfrogs = 2, .jitter = 0.2, .refinement = {2, 0.3}});
       }},
      {"RefinedNuts",
       [] {
         return std::make_unique<Nuts>(NutsOptions{.max_depth = 5, .refinement = {3, 0.3}});
       }},
      {"ShallowNuts", [] { return std::make_unique<Nuts>(NutsOptions{.max_depth = 2}); }},
  };
  return cases;
}

/// L with different scales and, where it has them, correlations. n <= 3.
inline Factor some_factor(Metric kind, Index n) {
  const Vector scales = Vector{{0.8, 1.3, 0.6}}.head(n);
  const Matrix lower{{0.8, 0, 0}, {-0.5, 1.1, 0}, {0.3, 0.4, 0.7}};
  if (kind == Metric::unit) return Factor::unit(n);
  if (kind == Metric::diag) return Factor::diagonal(scales);
  if (kind == Metric::dense) return Factor::dense(lower.topLeftCorner(n, n));
  return Factor::low_rank(scales, Vector{{2, -1, 2}}.head(n).normalized(), Vector{{3.5}});
}

constexpr Metric kMetrics[] = {Metric::unit, Metric::diag, Metric::dense, Metric::low_rank};

/// As part of the name of a test.
inline std::string metric_name(Metric metric) {
  std::string name = to_string(metric);
  name[0] = static_cast<char>(std::toupper(name[0]));
  return name;
}

inline State state_at(Evaluator& density, const Matrix& x) {
  State state(x.rows(), x.cols());
  state.x = x;
  density.gradient(state.x, state.logp, state.grad);
  return state;
}

/// One transition, with everything it says.
inline Transition one_step(const Kernel& kernel, Evaluator& density, const Tuning& tuning,
                           const State& now, const LaneNoise& noise) {
  Transition out(now.dim(), now.lanes());
  kernel.step(density, tuning, now, noise, {}, out);
  return out;
}

}  // namespace gadwall::testing
