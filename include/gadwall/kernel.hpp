// A kernel: one Markov transition of K lanes at once. It proposes, decides and says everything it
// did; it learns nothing and changes nothing but the Transition it fills.
#pragma once

#include <cstdint>
#include <vector>

#include "gadwall/evaluator.hpp"
#include "gadwall/noise.hpp"
#include "gadwall/statistics.hpp"
#include "gadwall/tuning.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

using Flags = Eigen::Array<bool, Eigen::Dynamic, 1>;

/// K lanes; every matrix is n x K, every vector has K entries.
struct State {
  /// All zero: what a kernel never asks for is archived too.
  State(Index n, Index lanes)
      : x(Matrix::Zero(n, lanes)),
        logp(Vector::Zero(lanes)),
        grad(Matrix::Zero(n, lanes)),
        whitened(Matrix::Zero(n, lanes)) {}

  Index dim() const { return x.rows(); }
  Index lanes() const { return x.cols(); }

  /// The kept products too: made anew, for several lanes at once, they could differ in a last bit.
  void archive(Archive& a);

  Matrix x;
  Vector logp;
  Matrix grad;      // gradient of log pi; stale after warm-up for kernels that stop asking for it
  Matrix whitened;  // L^T grad, kept because the next iteration needs it again
  std::uint64_t whitened_version = 0;  // the Tuning version of that L; 0: never made
  Matrix momentum;  // whitened, of kernels that keep a share of it; empty: none yet
};

/// Where a trajectory of all lanes was after one of its steps.
struct Waypoint {
  Matrix x;          // n x K
  Vector log_ratio;  // log of the Metropolis-Hastings ratio of stopping here, -inf where it is bad
};

/// How the end of a trajectory of leapfrog steps depends on L, with every gradient on the way held:
/// y = x + L (t v_0 + L^T drifts), v = v_0 + L^T kicks, t the sum of the steps.
struct Impulses {
  Matrix kicks, drifts;  // n x K, sums of gradients
  Matrix momentum;       // v at the end
  Matrix middle;         // x halfway
};

/// Everything one transition did. Rejected proposals are here like accepted ones.
struct Transition {
  /// own: how many statistics the kernel has of its own.
  Transition(Index n, Index lanes, Index own = 0);

  State next;        // the proposals (nuts: the states selected)
  Matrix noise;      // eps ~ N(0, I) (Hamiltonian kernels: the whitened momenta drawn)
  Matrix move;       // u of Langevin kernels: y = x + step L u; with impulses y = x + L u
  Matrix momentum;   // to go on with, whether accepted or not; empty: no momentum is kept
  Matrix curvature;  // H(y) (step L d), see kernels/langevin.hpp; filled when wanted
  Matrix whitened;   // L^T grad at the states before the transition
  Vector log_ratio;  // r: log of the Metropolis-Hastings ratio, -inf for a bad proposal
  Vector accept;     // min(1, e^r); nuts: mean over the trajectory; 0 of steps taken in pieces
  Flags accepted;
  Flags divergent;           // Hamiltonian kernels: energy error beyond the limit
  Vector energy;             // Hamiltonian kernels: -log pi + kinetic energy of the new state
  Eigen::ArrayXi leapfrogs;  // gradients of the trajectory
  Eigen::ArrayXi tree_depth;
  std::vector<Waypoint>
      path;           // of a trajectory of a given length, step by step; filled when wanted
  Impulses impulses;  // of leapfrog trajectories; filled when wanted
  Matrix own;         // K x Kernel::own_statistics
};

/// What an adapter wants to see beyond the bare transition; it costs evaluations, so it is asked
/// for in warm-up only.
struct Wants {
  bool gradient = false;   // the gradient at the proposal, also where the kernel needs none
  bool curvature = false;  // Transition::curvature
  bool path = false;       // Transition::path: the whole trajectory, also where the end is not used
  bool impulses = false;   // Transition::impulses
};

class Kernel {
 public:
  virtual ~Kernel() = default;

  /// Whether a state must carry its gradient for this kernel.
  virtual bool uses_gradient() const = 0;

  /// What it says of a draw beyond common_statistics: columns of Transition::own, and of the files.
  virtual std::vector<Statistic> own_statistics() const { return {}; }

  virtual void step(Evaluator& density, const Tuning& tuning, const State& now,
                    const LaneNoise& noise, Wants wants, Transition& out) const = 0;
};

/// out.whitened = L^T grad of `now`: the kept product where it is still valid, else a new one.
void whiten_gradient(const Tuning& tuning, const State& now, Transition& out);

/// The Metropolis-Hastings decision for every lane: fills accept and accepted from log_ratio.
void decide(const LaneNoise& noise, Transition& out);

/// Moves the accepted lanes, and keeps the products L^T grad of all of them.
void commit(const Tuning& tuning, const Transition& transition, State& now);

}  // namespace gadwall
