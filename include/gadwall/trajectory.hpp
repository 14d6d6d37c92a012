// How Hamiltonian kernels move, where that is learnt beside the metric: the integrator and the
// length of a trajectory.
#pragma once

#include <string>

#include "gadwall/archive.hpp"

namespace gadwall {

/// In whitened momenta, with step h and L L^T the inverse mass (kernels/phase.hpp):
///   leapfrog   kick h/2, drift h, kick h/2
///   shear      kick tan(h/2), drift sin(h), kick tan(h/2): for a Gaussian with covariance L L^T
///   the
///              exact rotation by the angle h, so that a quarter turn is an independent draw
///   two_stage  kick b h, drift h/2, kick (1 - 2b) h, drift h/2, kick b h: two gradients per step
enum class Integrator { leapfrog, shear, two_stage };

/// "leapfrog", "shear", "two-stage".
std::string to_string(Integrator integrator);
Integrator integrator_from_string(const std::string& name);  // UsageError where there is none

struct TrajectoryPlan {
  Integrator integrator = Integrator::leapfrog;
  Index most_steps = 0;    // their number is uniform on 1 ... most_steps; 0: until the path turns
  double persistence = 0;  // share of the momentum that is kept from one trajectory to the next
  Index per_draw = 1;      // so many trajectories, one after the other, make a draw

  void archive(Archive& a);
};

/// From what a file says; UsageError where that is no plan.
TrajectoryPlan trajectory_plan(const std::string& integrator, double most_steps, double persistence,
                               double per_draw);

}  // namespace gadwall
