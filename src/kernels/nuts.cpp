#include "kernels/nuts.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/phase.hpp"

namespace gadwall {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double log_sum_exp(double a, double b) {
  const double top = std::max(a, b);
  return top == -kInfinity ? top : top + std::log1p(std::exp(std::min(a, b) - top));
}

/// A stretch of trajectory. `first` is the momentum at its inner end (next to what was there
/// before), `last` at its outer end; rho is the sum of all momenta in it.
struct Stretch {
  void resize(Index n) {
    for (Vector* part : {&first, &last, &rho}) part->resize(n);
    proposal.resize(n, 1);
  }

  Vector first, last, rho;
  double log_weight = -kInfinity;  // log sum of e^(H0 - H)
  Phase proposal;                  // a point drawn from it with those weights
};

/// The whole of one transition of one lane. The memory is kept between calls.
class Trajectory {
 public:
  void run(Evaluator& density, const Tuning& tuning, const NutsOptions& options,
           const NoiseKey& key, Phase& start) {
    density_ = &density;
    tuning_ = &tuning;
    options_ = options;
    resize(start.x.rows());
    begin(start);
    UniformStream uniform(key, Purpose::trajectory);
    for (depth = 0; depth < options_.max_depth;) {
      const int direction = uniform.next() > 0.5 ? 1 : 0;
      if (!double_towards(direction, uniform)) break;
    }
  }

  const Phase& selected() const { return whole_.proposal; }

  Index depth = 0;
  int leapfrogs = 0;  // gradients
  bool diverged = false;

  /// Mean over the points of the trajectory.
  double acceptance() const { return acceptance_sum_ / steps_; }

 private:
  void resize(Index n) {
    levels_.resize(static_cast<std::size_t>(options_.max_depth) + 1);
    for (Stretch& level : levels_) level.resize(n);
    whole_.resize(n);
    for (Phase& end : ends_) end.resize(n, 1);
    join_.resize(n);
    step_.resize(1);
  }

  void begin(const Phase& start) {
    ends_[0] = ends_[1] = whole_.proposal = start;
    whole_.rho = start.v;
    whole_.log_weight = 0;
    start_energy_ = start.energy(0);
    leapfrogs = 0;
    steps_ = 0;
    acceptance_sum_ = 0;
    diverged = false;
  }

  /// Adds as many points as there are, on one side. False when the trajectory ends here.
  bool double_towards(int direction, UniformStream& uniform) {
    // Seen from the side that grows, the far end comes first and the near end last.
    whole_.first = ends_[1 - direction].v;
    whole_.last = ends_[direction].v;
    Stretch& added = levels_.back();
    direction_ = direction;
    if (!build(depth, added, uniform)) return false;
    ++depth;
    // Biased progressive sampling: the new half is preferred, which moves further.
    const double log_odds = added.log_weight - whole_.log_weight;
    return join(whole_, added, log_odds, uniform);
  }

  /// A stretch of 2^height points beyond the end that grows. False: it diverged or turned.
  bool build(Index height, Stretch& out, UniformStream& uniform) {
    if (height == 0) return leap(out);
    if (!build(height - 1, out, uniform)) return false;
    Stretch& far = levels_[static_cast<std::size_t>(height - 1)];
    if (!build(height - 1, far, uniform)) return false;
    const double log_odds = far.log_weight - log_sum_exp(out.log_weight, far.log_weight);
    return join(out, far, log_odds, uniform);
  }

  /// near <- near + far; the proposal of far replaces that of near with probability
  /// min(1, e^log_odds). False when the joined stretch, or either half with the neighbouring
  /// point of the other, makes a U-turn.
  bool join(Stretch& near, Stretch& far, double log_odds, UniformStream& uniform) {
    if (std::log(uniform.next()) < log_odds) std::swap(near.proposal, far.proposal);
    near.log_weight = log_sum_exp(near.log_weight, far.log_weight);
    join_ = near.rho + far.first;
    bool goes_on = straight(near.first, far.first, join_);
    join_ = far.rho + near.last;
    goes_on = goes_on && straight(near.last, far.last, join_);
    near.rho += far.rho;
    goes_on = goes_on && straight(near.first, far.last, near.rho);
    std::swap(near.last, far.last);
    return goes_on;
  }

  static bool straight(const Vector& begin, const Vector& end, const Vector& rho) {
    return begin.dot(rho) > 0 && end.dot(rho) > 0;
  }

  /// One step of the end that grows; a stretch of one point.
  bool leap(Stretch& out) {
    Phase& z = ends_[direction_];
    step_[0] = direction_ == 1 ? tuning_->step : -tuning_->step;
    const Refinement& refinement = options_.refinement;
    if (refinement.is_on()) before_ = z;
    integrate(options_.integrator, *density_, tuning_->factor(), step_, z);
    leapfrogs += gradients_per_step(options_.integrator);
    ++steps_;
    bool is_lost = false;
    const bool is_cut = refinement.is_on() && refinement.is_rough(before_.energy(0), z.energy(0));
    if (is_cut) {
      const RefinedStep step =
          refine(refinement, options_.integrator, *density_, tuning_->factor(), step_[0], before_);
      std::swap(z, before_);
      leapfrogs += step.gradients;
      is_lost = !step.is_reversible;
    }
    double log_weight = start_energy_ - z.energy(0);
    if (std::isnan(log_weight)) log_weight = -kInfinity;
    // Steps are steered by what they are when whole.
    if (!is_cut) acceptance_sum_ += std::exp(std::min(0.0, log_weight));
    diverged = diverged || -log_weight > options_.max_energy_error;
    out.first = z.v;
    out.last = z.v;
    out.rho = z.v;
    out.log_weight = log_weight;
    out.proposal = z;
    return !diverged && !is_lost;
  }

  Evaluator* density_ = nullptr;
  const Tuning* tuning_ = nullptr;
  NutsOptions options_;
  int direction_ = 1;
  double start_energy_ = 0;
  double acceptance_sum_ = 0;
  int steps_ = 0;
  Phase ends_[2];  // backward, forward
  Phase before_;   // a step that may have to be taken again, in pieces
  Stretch whole_;
  std::vector<Stretch> levels_;  // the far halves by height; the last one: what a doubling adds
  Vector step_, join_;
};

}  // namespace

void Nuts::step(Evaluator& density, const Tuning& tuning, const State& now, const LaneNoise& noise,
                Wants, Transition& out) const {
  thread_local Trajectory trajectory;
  thread_local Phase start;
  start.resize(now.dim(), 1);
  fill_normal(noise, Purpose::proposal, out.noise);
  whiten_gradient(tuning, now, out);
  for (Index k = 0; k < now.lanes(); ++k) {
    start.x = now.x.col(k);
    start.v = out.noise.col(k);
    start.grad = now.grad.col(k);
    start.whitened = out.whitened.col(k);
    start.logp[0] = now.logp[k];
    trajectory.run(density, tuning, options_, noise.lane(k), start);

    const Phase& selected = trajectory.selected();
    out.next.x.col(k) = selected.x;
    out.next.logp[k] = selected.logp[0];
    out.next.grad.col(k) = selected.grad;
    out.next.whitened.col(k) = selected.whitened;
    out.energy[k] = selected.energy(0);
    out.leapfrogs[k] = trajectory.leapfrogs;
    out.tree_depth[k] = static_cast<int>(trajectory.depth);
    out.divergent[k] = trajectory.diverged;
    out.accept[k] = trajectory.acceptance();
  }
  out.next.whitened_version = tuning.version();
  out.log_ratio.setZero();
  out.accepted.setConstant(true);  // the selected point may be the old one: a move all the same
}

}  // namespace gadwall
