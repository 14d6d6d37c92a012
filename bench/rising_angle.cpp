// Two ways to the large angle of gadmala's exact drift: L learnt by the published step, then
// rescaled, and the angle found; or L learnt by the shear step itself, whose angle rises while L
// settles. One chain, 20,000 + 20,000 iterations.
//   gadwall_rising_angle DIRECTORY [SEEDS]      the directory with the paper's data sets
//
// With t = tan(h/2), s = sin h, u = L^T g the step and its ratio are
//
//   v = eps + t u_x,   y = x + s L v,   v' = v + t u_y,
//   r = log pi(y) - log pi(x) - |v'|^2 / 2 + |eps|^2 / 2
//
// and the gradient of r in L, g_y held constant in v', is lower(g_x a^T + g_y b^T) with
// a = s t u_y - t v', b = s v - t v'. The published step is t = 1/2, s = 1.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "adapters/drift.hpp"
#include "adapters/speed_measure.hpp"
#include "kernels/chosen.hpp"
#include "kernels/langevin.hpp"
#include "problems.hpp"

namespace {

using namespace gadwall;

constexpr Index kLength = 20000;       // of warm-up, and draws
constexpr Index kAngleLength = 1000;   // of warm-up, where the angle is measured at its end
constexpr double kLargestAngle = 1.3;  // where it is measured
constexpr Index kScaleLength = 1000;   // iterations whose scores say the scale of L

struct ShearMove {
  const Vector& g_x;
  const Vector& g_y;
  const Vector& eps;
  double angle;
};

Matrix ratio_gradient(const ShearMove& move, const Matrix& L) {
  const double t = std::tan(move.angle / 2);
  const double s = std::sin(move.angle);
  const Vector u_y = L.transpose() * move.g_y;
  const Vector v = move.eps + t * (L.transpose() * move.g_x);
  const Vector end = v + t * u_y;
  const Matrix all =
      move.g_x * (s * t * u_y - t * end).transpose() + move.g_y * (s * v - t * end).transpose();
  return all.triangularView<Eigen::Lower>();
}

/// The largest error of the gradient, relative to its largest entry, by differences on
/// log pi(x) = -sum x^4 / 4.
double gradient_error() {
  constexpr Index n = 4;
  constexpr double h = 1.1;
  constexpr double step = 1e-5;
  const double t = std::tan(h / 2);
  const auto score = [](const Vector& x) { return Vector(-x.array().cube()); };
  const auto log_density = [](const Vector& x) { return -x.array().pow(4).sum() / 4; };
  Matrix noise(n, n + 2);
  fill_normal(LaneNoise{11, 0, 0}, Purpose::start, noise);
  const Vector x = noise.col(0);
  const Vector eps = noise.col(1);
  Matrix L = 0.2 * noise.rightCols(n).triangularView<Eigen::Lower>().toDenseMatrix();
  L.diagonal().array() += 0.7;
  const auto proposal = [&](const Matrix& A) {
    return Vector(x + std::sin(h) * A * (eps + t * (A.transpose() * score(x))));
  };
  const Vector g_x = score(x);
  const Vector g_y = score(proposal(L));
  const auto ratio = [&](const Matrix& A) {
    const Vector end = eps + t * (A.transpose() * (g_x + g_y));
    return log_density(proposal(A)) - log_density(x) - end.squaredNorm() / 2 +
           eps.squaredNorm() / 2;
  };
  const Matrix gradient = ratio_gradient({g_x, g_y, eps, h}, L);
  double worst = 0;
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) {
      Matrix up = L, down = L;
      up(i, j) += step;
      down(i, j) -= step;
      const double difference = (ratio(up) - ratio(down)) / (2 * step);
      worst = std::max(worst, std::abs(difference - gradient(i, j)));
    }
  }
  return worst / gradient.cwiseAbs().maxCoeff();
}

struct Rise {
  double first_angle = 0.3;
  double last_angle = 1;
  double first_accept = 0.55;
  double last_accept = 0.7;
  double over = 0.6;         // of the iterations that learn; then both stay
  double published = 0;      // share of warm-up, before, in which the published step learns L
  bool is_rescaled = false;  // L at the end, by the scores
  bool is_measured = false;  // the angle at the end of warm-up, for the L that was learnt
  Index iterations = kLength;

  double reached(Index iteration) const {
    return std::min(1.0, static_cast<double>(iteration) / (over * static_cast<double>(iterations)));
  }
  double angle(Index i) const { return first_angle + reached(i) * (last_angle - first_angle); }
  double accept(Index i) const { return first_accept + reached(i) * (last_accept - first_accept); }
};

/// The published learner, one lane, with the gradient of the shear step. The step of its tuning is
/// the angle.
class RisingAngle final : public Adapter {
 public:
  explicit RisingAngle(const Rise& rise) : rise_(rise) {}

  Wants wants() const override { return {.gradient = true}; }

  Tuning initial_tuning(Index n) const override {
    const double scale = options_.initial_scale / std::sqrt(static_cast<double>(n));
    return Tuning(Factor::first(Metric::dense, n, scale));
  }

  void start(const State&, Evaluator&, const LaneNoise&, Tuning& tuning) override {
    tuning.trajectory = TrajectoryPlan{Integrator::shear, 1, 0};
    tuning.step = rise_.first_angle;
  }

  void learn(const Lesson& lesson, Tuning& tuning) override {
    Matrix& L = tuning.change_factor().as<LowerFactor>().lower();
    ascend(gradient(lesson, L, tuning.step), L);
    const double excess = lesson.accepted_share() - rise_.accept(lesson.iteration);
    beta_ = std::max(options_.beta_floor, beta_ * (1 + options_.beta_rate * excess));
    tuning.step = rise_.angle(lesson.iteration + 1);
    const double square = lesson.transition.whitened.squaredNorm() / static_cast<double>(L.rows());
    seen_ = std::min(seen_ + 1, kScaleLength);
    score_square_ += (square - score_square_) / static_cast<double>(seen_);
  }

  void finish(Tuning& tuning) override {
    if (rise_.is_rescaled) {
      tuning.change_factor() = tuning.factor().scaled(1 / std::sqrt(score_square_));
    }
  }

 private:
  Matrix gradient(const Lesson& lesson, const Matrix& L, double angle) const {
    const Transition& t = lesson.transition;
    Matrix all = Matrix::Zero(L.rows(), L.cols());
    if (t.log_ratio[0] < 0 && std::isfinite(t.next.logp[0])) {
      const Vector g_x = lesson.before.grad.col(0);
      const Vector g_y = t.next.grad.col(0);
      const Vector eps = t.noise.col(0);
      all = ratio_gradient({g_x, g_y, eps, angle}, L);
    }
    all.diagonal().array() += beta_ / L.diagonal().array();
    return all;
  }

  void ascend(const Matrix& gradient, Matrix& L) {
    const double m = moment_.size() == 0 ? 0 : options_.memory;
    if (m == 0) moment_.setZero(L.rows(), L.cols());
    moment_.array() = m * moment_.array() + (1 - m) * gradient.array().square();
    L.array() += options_.learning_rate * gradient.array() / (1 + moment_.array().sqrt());
    L.diagonal() = L.diagonal().cwiseMax(options_.diagonal_floor);
  }

  Rise rise_;
  SpeedMeasureOptions options_;
  Matrix moment_;
  double beta_ = options_.beta;
  double score_square_ = 0;
  Index seen_ = 0;
};

std::unique_ptr<Kernel> shear_kernel() {
  return std::make_unique<Chosen>(
      ChosenOptions{.jitter = 0, .careful = 0, .refinement = Refinement{}});
}

Stage published_stage(Index iterations) {
  Stage stage{.name = "published", .most = iterations};
  stage.kernel = [] { return std::make_unique<Langevin>(); };
  const SpeedMeasureOptions learner{.rescale = true};
  stage.adapter = [learner] { return std::make_unique<SpeedMeasureAdapter>(learner); };
  return stage;
}

Stage angle_stage() {
  const DriftOptions angle{
      .angle = {.most = kLargestAngle}, .correct = false, .iterations = kAngleLength};
  Stage stage{.name = "angle", .most = kAngleLength};
  stage.kernel = shear_kernel;
  stage.adapter = [angle] { return std::make_unique<DriftAdapter>(angle); };
  return stage;
}

SamplerRow rising(const Rise& wanted) {
  const SamplerTitle title{.name = "rising", .summary = "", .warmup = kLength, .draws = kLength};
  return make_sampler(title, NoOptions{}, [wanted](NoOptions, const Circumstances& c) {
    Rise rise = wanted;
    const auto published = static_cast<Index>(rise.published * static_cast<double>(c.warmup));
    rise.iterations = c.warmup - published - (rise.is_measured ? kAngleLength : 0);
    std::vector<Stage> stages =
        learn_then_draw(c, shear_kernel, [rise] { return std::make_unique<RisingAngle>(rise); });
    stages.front().most = rise.iterations;
    if (rise.is_measured) stages.insert(stages.end() - 1, angle_stage());
    if (published > 0) stages.insert(stages.begin(), published_stage(published));
    return stages;
  });
}

struct Way {
  std::string title;
  SamplerRow sampler;
  Settings settings;
};

std::vector<Way> ways() {
  const SamplerRow& gadmala = find_sampler("gadmala");
  const Settings measured{{"drift", "exact"},
                          {"shape", "learnt"},
                          {"persistence", 0.0},
                          {"careful", 0.0},
                          {"largest-angle", kLargestAngle}};
  const Rise fast{.first_angle = 0.9, .last_angle = 1.3, .last_accept = 0.8};
  const auto changed = [](Rise rise, auto change) {
    change(rise);
    return rising(rise);
  };
  return {
      {"published step", gadmala, {}},
      {"raised from .9 to 1.3, accepted .55 to .8", rising(fast), {}},
      {"... .9 to 1.2", changed(fast, [](Rise& r) { r.last_angle = 1.2; }), {}},
      {"... .9 to 1.3, accepted .55 to .7", changed(fast, [](Rise& r) { r.last_accept = .7; }), {}},
      {"... as published for half of warm-up, rescaled, then .9 to 1.3, .55 to .8",
       changed(fast, [](Rise& r) { r.published = 0.5; }),
       {}},
      {"... .3 to 1.2, .55 to .7", changed({}, [](Rise& r) { r.last_angle = 1.2; }), {}},
      {"... .3 to 1.1, .55 to .6", rising({.last_angle = 1.1, .last_accept = 0.6}), {}},
      {"... .3 to 1, .55 to .7", rising({}), {}},
      {"... then the angle measured", rising({.is_measured = true}), {}},
      {"... L rescaled before", rising({.is_rescaled = true, .is_measured = true}), {}},
      {"rescale and switch, the angle measured", gadmala, measured},
      {"`--drift exact`: corrected, noise kept", gadmala, {{"drift", "exact"}}}};
}

struct Found {
  double mean_min = 0;                                           // of the paper's ESS
  double mean_worst = 0;                                         // of the worst ESS
  double least_worst = std::numeric_limits<double>::infinity();  // over the seeds
};

Found measure(const Way& way, const bench::Problem& problem, Index seeds) {
  Found found;
  for (Index seed = 1; seed <= seeds; ++seed) {
    SampleOptions options;
    options.settings = way.settings;
    options.run.chains = 1;
    options.run.warmup = kLength;
    options.run.draws = kLength;
    options.run.seed = static_cast<std::uint64_t>(seed);
    const Summary summary = sample(problem.target, way.sampler, options).summary;
    found.mean_min += summary.ess_paper.min / static_cast<double>(seeds);
    found.mean_worst += summary.ess_worst / static_cast<double>(seeds);
    found.least_worst = std::min(found.least_worst, summary.ess_worst);
  }
  return found;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "gadwall_rising_angle DIRECTORY [SEEDS]\n");
    return 2;
  }
  const double error = gradient_error();
  fmt::print("gradient against differences: {:.1e} of its largest entry\n\n", error);
  if (!(error < 1e-7)) return 1;
  const gadwall::Index seeds = bench::whole_argument(count, arguments, 2, 3);
  const std::vector<bench::Problem> problems = bench::small_problems(arguments[1]);
  fmt::print(
      "mean over {} seeds of min ESS (the paper's) / worst ESS (its least)\n\n| L and angle |",
      seeds);
  for (const bench::Problem& problem : problems) fmt::print(" {} |", problem.name);
  fmt::print("\n| --- |");
  for (std::size_t i = 0; i < problems.size(); ++i) fmt::print(" --- |");
  for (const Way& way : ways()) {
    fmt::print("\n| {} |", way.title);
    for (const bench::Problem& problem : problems) {
      const Found found = measure(way, problem, seeds);
      fmt::print(" {:.0f} / {:.0f} ({:.0f}) |", found.mean_min, found.mean_worst,
                 found.least_worst);
      std::fflush(stdout);
    }
  }
  fmt::print("\n");
}
