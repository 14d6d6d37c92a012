// Control variates from all proposals of MALA, rejected ones too (after Alexopoulos, Dellaportas &
// Titsias 2023), beside those from the scores: by how much the variance of posterior means falls.
//   gadwall_proposal_variates DIRECTORY [SEEDS] [ITERATIONS]      the paper's data sets
//
// In coordinates z = L^-1 (x - m), L L^T and m near the covariance and the mean, a proposal is
// z' = mu + h eps with mu = z + h^2 u / 2, u = L^T g, and is accepted with probability a. All of
// these have mean zero under pi and may be taken from f(x):
//
//   score      u
//   proposal   a (z' - z), the expected move
//   noise      eps
//   corrected  a (z' - z) - b (z' - z) + E[b (z' - z)], b the acceptance that the proposal would
//              have if pi were N(m, L L^T): the paper's second variate, with a linear solution of
//              its Poisson equation. b = min(1, exp(h^2 (|z|^2 - |z'|^2) / 8)), and its expectation
//              is exact, as |z'|^2 / h^2 is noncentral chi-squared.
//
// Coefficients are a regression of means over 100 iterations, the even ones; variances are of the
// odd ones.
#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "adapters/step.hpp"
#include "kernels/langevin.hpp"
#include "problems.hpp"

namespace {

using namespace gadwall;

constexpr Index kStretch = 100;  // iterations

/// P(X <= x), X noncentral chi-squared: central with Poisson(centre / 2) times two more degrees of
/// freedom.
double noncentral_chi_square(double freedom, double centre, double x) {
  if (!(x > 0)) return 0;
  constexpr double kNothing = 1e-18;
  const double half = x / 2;
  double a = freedom / 2;
  // The incomplete gamma function P(a, half) is the sum of half^k e^-half / Gamma(k + 1) over
  // k = a, a + 1, ...
  double first = std::exp(a * std::log(half) - half - std::lgamma(a + 1));
  double probability = 0;
  double term = first;
  for (double k = a; term > 0 && (k < half || term > kNothing * probability); term *= half / ++k) {
    probability += term;
  }
  const double rate = centre / 2;
  double weight = std::exp(-rate);
  double sum = 0;
  for (double j = 0; j <= rate || weight > kNothing; weight *= rate / ++j) {
    sum += weight * probability;
    probability -= first;
    first *= half / ++a;
  }
  return sum;
}

/// Of a proposal from N(mu, h^2 I), if the target were N(0, I).
struct GaussianAcceptance {
  double h;

  double of(const Vector& from, const Vector& to) const {
    return std::exp(std::min(0.0, h * h * (from.squaredNorm() - to.squaredNorm()) / 8));
  }

  /// E[b (z' - z)]. For any f, E[f(|z'|^2)] and E[f(|z'|^2) z'] / mu are means of f over h^2 times
  /// noncentral chi-squared numbers with n and n + 2 degrees of freedom.
  Vector expected_move(const Vector& z, const Vector& mu) const {
    const auto n = static_cast<double>(z.size());
    return mean(n + 2, z, mu) * mu - mean(n, z, mu) * z;
  }

 private:
  /// E[min(1, exp(c (|z|^2 - h^2 X)))], c = h^2 / 8: below |z|^2 a probability, above it one of
  /// exponentially tilted numbers.
  double mean(double freedom, const Vector& z, const Vector& mu) const {
    const double c = h * h / 8;
    const double limit = z.squaredNorm() / (h * h);
    const double centre = mu.squaredNorm() / (h * h);
    const double tilt = 1 + 2 * c * h * h;
    const double tilted =
        std::exp(c * z.squaredNorm() - freedom / 2 * std::log(tilt) - c * h * h * centre / tilt);
    return noncentral_chi_square(freedom, centre, limit) +
           tilted * (1 - noncentral_chi_square(freedom, centre / tilt, limit * tilt));
  }
};

/// How far the expected move is from a mean of many, in standard errors.
double expectation_error() {
  constexpr Index n = 6;
  constexpr Index count = 200000;
  const GaussianAcceptance acceptance{1.1};
  Matrix noise(n, count + 2);
  fill_normal(LaneNoise{5, 0, 0}, Purpose::start, noise);
  const Vector z = 1.3 * noise.col(0);
  const Vector mu = z + 0.5 * noise.col(1) - 0.4 * z;
  Vector sum = Vector::Zero(n), squares = Vector::Zero(n);
  for (Index i = 0; i < count; ++i) {
    const Vector to = mu + acceptance.h * noise.col(i + 2);
    const Vector move = acceptance.of(z, to) * (to - z);
    sum += move;
    squares += move.cwiseAbs2();
  }
  const auto all = static_cast<double>(count);
  const Eigen::ArrayXd mean = sum.array() / all;
  const Eigen::ArrayXd error = ((squares.array() / all - mean.square()) / all).sqrt();
  return ((mean - acceptance.expected_move(z, mu).array()).abs() / error).maxCoeff();
}

/// What was learnt of the target: a Gaussian.
struct Shape {
  Factor factor;
  Matrix L;
  Vector mean;
};

/// In the order of their columns, n of each.
enum Part { state, score, proposal, noise, corrected, parts };

/// Langevin steps of tuning.step L that say what the variates are made of.
class RecordingLangevin final : public Kernel {
 public:
  explicit RecordingLangevin(const Shape& shape) : shape_(shape) {}

  bool uses_gradient() const override { return true; }

  std::vector<Statistic> own_statistics() const override {
    std::vector<Statistic> columns;
    for (Index j = 0; j < parts * shape_.mean.size(); ++j) {
      columns.push_back({fmt::format("part_{}", j)});
    }
    return columns;
  }

  void step(Evaluator& density, const Tuning& tuning, const State& now, const LaneNoise& noise_key,
            Wants wants, Transition& out) const override {
    langevin_.step(density, tuning, now, noise_key, wants, out);
    const Vector z = shape_.L.triangularView<Eigen::Lower>().solve(now.x.col(0) - shape_.mean);
    const Vector move = tuning.step * out.move.col(0);
    const Vector to = z + move;
    const Vector mu = to - tuning.step * out.noise.col(0);
    const GaussianAcceptance gaussian{tuning.step};
    put(out, state, now.x.col(0));
    put(out, score, out.whitened.col(0));
    put(out, proposal, out.accept[0] * move);
    put(out, noise, out.noise.col(0));
    put(out, corrected,
        (out.accept[0] - gaussian.of(z, to)) * move + gaussian.expected_move(z, mu));
  }

 private:
  template <class Values>
  void put(Transition& out, Part part, const Values& values) const {
    const Index n = shape_.mean.size();
    out.own.row(0).segment(part * n, n) = values.transpose();
  }

  const Shape& shape_;
  Langevin langevin_;
};

/// Means of the kernel's columns over stretches of iterations.
class StretchMeans final : public Sink {
 public:
  StretchMeans(Index first_column, Index columns, Index draws)
      : first_(first_column), means_(Matrix::Zero(draws / kStretch, columns)) {}

  void begin_sampling(Index, const Tuning&) override {}

  void write(Index, const DrawStatistics& statistics, ConstVectorRef) override {
    const Index stretch = written_++ / kStretch;
    if (stretch >= means_.rows()) return;
    means_.row(stretch) += statistics.segment(first_, means_.cols()).transpose() / kStretch;
  }

  const Matrix& means() const { return means_; }

 private:
  Index first_;
  Index written_ = 0;
  Matrix means_;
};

Shape learn_shape(const bench::Problem& problem, Index seed) {
  SampleOptions options{.sampler = "gadmala"};
  options.settings = {{"drift", "exact"}};
  options.run.chains = 1;
  options.run.warmup = options.run.draws = 20000;
  options.run.seed = static_cast<std::uint64_t>(seed);
  const SampleResult result = sample(problem.target, options);
  const Factor& factor = result.tuning().factor();
  const Matrix& draws = result.draws.chains.front().draws;
  return {factor, factor.matrix(), draws.colwise().mean().transpose()};
}

struct Recorded {
  Matrix means;  // stretches x (parts n)
  double acceptance;
};

Recorded record(const bench::Problem& problem, const Shape& shape, Index seed, Index iterations) {
  const SamplerTitle title{.name = "recording", .summary = "", .warmup = 4000, .draws = iterations};
  const StepOptions steps{.initial = 1, .target_accept = 0.57};
  const SamplerRow row = make_sampler(title, NoOptions{}, [&](NoOptions, const Circumstances& c) {
    return learn_then_draw(
        c, [&] { return std::make_unique<RecordingLangevin>(shape); },
        [=] { return std::make_unique<StepAdapter>(steps); });
  });
  RunOptions options;
  options.chains = 1;
  options.seed = static_cast<std::uint64_t>(seed + 100);
  options.tuning = Tuning(shape.factor);
  const RunPlan plan(problem.target, row, {}, options);
  StretchMeans sink(find_statistic(plan.statistics, "part_0"), parts * shape.mean.size(),
                    iterations);
  Monitor monitor(1);
  const RunOutcome outcome = run(plan, sink, monitor);
  return {sink.means(), outcome.facts.accept_rate};
}

/// The geometric mean over the coordinates of the variance of f over that of what is left of it.
double variance_ratio(const Matrix& means, Index n, const std::vector<Part>& variates) {
  const Index half = means.rows() / 2;
  const auto half_of = [&](Index first, Index from, Index count) {
    return Matrix(means(Eigen::seqN(first, half, 2), Eigen::seqN(from, count)));
  };
  const auto regressors = [&](Index first) {
    Matrix all(half, 1 + n * static_cast<Index>(variates.size()));
    all.col(0).setOnes();
    Index column = 1;
    for (const Part part : variates) {
      all.middleCols(column, n) = half_of(first, part * n, n);
      column += n;
    }
    return all;
  };
  const Matrix f = half_of(1, state * n, n);
  const Matrix coefficients =
      Eigen::ColPivHouseholderQR<Matrix>(regressors(0)).solve(half_of(0, state * n, n));
  const Matrix left = f - regressors(1) * coefficients;
  const auto variances = [](const Matrix& values) {
    return Eigen::ArrayXd((values.rowwise() - values.colwise().mean()).colwise().squaredNorm());
  };
  return std::exp((variances(f).log() - variances(left).log()).mean());
}

struct Choice {
  const char* title;
  std::vector<Part> variates;
};

const std::vector<Choice>& choices() {
  static const std::vector<Choice> rows = {{"scores", {score}},
                                           {"proposals: a (z' - z)", {proposal}},
                                           {"... and their noise", {proposal, noise}},
                                           {"... corrected by a Gaussian acceptance", {corrected}},
                                           {"scores and proposals", {score, proposal}},
                                           {"scores and corrected proposals", {score, corrected}}};
  return rows;
}

/// A line of the table: means over the seeds, of ratios geometric ones.
void measure(const bench::Problem& problem, Index seeds, Index iterations) {
  const Index n = problem.target->dim();
  Eigen::ArrayXd log_ratios = Eigen::ArrayXd::Zero(static_cast<Index>(choices().size()));
  double acceptance = 0;
  for (Index seed = 1; seed <= seeds; ++seed) {
    const Shape shape = learn_shape(problem, seed);
    const Recorded recorded = record(problem, shape, seed, iterations);
    acceptance += recorded.acceptance;
    Index row = 0;
    for (const Choice& choice : choices()) {
      log_ratios[row++] += std::log(variance_ratio(recorded.means, n, choice.variates));
    }
  }
  const auto count = static_cast<double>(seeds);
  fmt::print("| {} ({}) |", problem.name, n);
  for (const double log_ratio : log_ratios / count) {
    constexpr double kExact = 1e6;  // what is left is rounding
    const double ratio = std::exp(log_ratio);
    fmt::print(" {} |", ratio > kExact ? "all" : fmt::format("{:.3g}", ratio));
  }
  fmt::print(" {:.2f} |\n", acceptance / count);
  std::fflush(stdout);
}

void print_head(Index seeds, Index iterations) {
  fmt::print(
      "the variance of posterior means falls by a factor of (geometric mean over the weights and "
      "{} seeds, {} iterations)\n\n| |",
      seeds, iterations);
  std::string rule = "| --- |";
  for (const Choice& choice : choices()) {
    fmt::print(" {} |", choice.title);
    rule += " --- |";
  }
  fmt::print(" accepted |\n{} --- |\n", rule);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "gadwall_proposal_variates DIRECTORY [SEEDS] [ITERATIONS]\n");
    return 2;
  }
  const double error = expectation_error();
  fmt::print("expected move against a mean of many: {:.1f} standard errors at most\n\n", error);
  if (!(error < 4)) return 1;
  const gadwall::Index seeds = bench::whole_argument(count, arguments, 2, 2);
  const gadwall::Index iterations = bench::whole_argument(count, arguments, 3, 400000);
  print_head(seeds, iterations);
  for (const bench::Problem& problem : bench::small_problems(arguments[1])) {
    measure(problem, seeds, iterations);
  }
}
