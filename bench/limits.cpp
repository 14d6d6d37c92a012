// Every bar of the project's speed, measured in one run: one line each, exit 1 where one is missed.
//   bench/limits [DATA]    DATA: a folder with caravan.csv and german.csv; without it made-up
//   tables
//                          of the same shape.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include "adapters/speed_measure.hpp"
#include "gadwall/gadwall.hpp"
#include "kernels/langevin.hpp"
#include "logistic_field.hpp"
#include "math/triangular.hpp"
#include "race.hpp"
#include "targets/gaussian.hpp"
#include "targets/logistic/classification_data.hpp"

namespace gadwall::bench {
namespace {

int missed = 0;

/// Bars are upper bounds, or lower ones.
void say(const std::string& what, double measured, double bar, bool at_least) {
  const bool held = at_least ? measured >= bar : measured <= bar;
  missed += held ? 0 : 1;
  fmt::print("{:<66} {:6.2f}   {} {:<5.3g} {}\n", what, measured, at_least ? ">=" : "<=", bar,
             held ? "held" : "MISSED");
  std::fflush(stdout);
}

struct Table {
  std::string name;
  Matrix x;
  Vector y;
};

Table table(const std::string& name, Index rows, Index columns, const std::string& folder) {
  if (!folder.empty()) {
    ClassificationData data = load_classification(folder + "/" + name + ".csv");
    return {name, std::move(data.x), std::move(data.y)};
  }
  std::srand(1);
  return {name, Matrix::Random(rows, columns),
          (Vector::Random(rows).array() > 0).cast<double>().matrix()};
}

struct LaneBar {
  Index lanes;
  double share_of_gemm;
};

void logistic(const Table& data, const std::vector<LaneBar>& bars, double two_gemv_bar) {
  const Logistic target(data.x, data.y, 1);
  const double flops = 4.0 * static_cast<double>(data.x.size());
  std::vector<Competitor> field{Competitor(Gemm{}, kGemmFlops), Competitor(TwoGemv{data.x}),
                                Competitor(Evaluate(target, 1))};
  for (const LaneBar& bar : bars) {
    field.emplace_back(Evaluate(target, bar.lanes), flops * static_cast<double>(bar.lanes));
  }
  race(field, 6);
  const std::string shape = fmt::format("{} {} x {}", data.name, data.x.rows(), data.x.cols());
  for (std::size_t i = 0; i < bars.size(); ++i) {
    say(fmt::format("{}, K = {}: flop rate / DGEMM's", shape, bars[i].lanes),
        ratio(field[0], field[i + 3]), bars[i].share_of_gemm, true);
  }
  if (two_gemv_bar > 0) {
    say(shape + ", K = 1: time / two dgemv", ratio(field[2], field[1]), two_gemv_bar, false);
  }
}

/// Kernel, adapter and state of one gadmala chain on a Gaussian that is nearly free, as
/// run/batch.cpp drives them.
class Chain {
 public:
  explicit Chain(Index n)
      : target_(Vector::Zero(n), Matrix(Vector::LinSpaced(n, 0.01, 1).cwiseAbs2().asDiagonal())),
        density_(target_),
        tuning_(adapter_.initial_tuning(n)),
        now_(n, 1),
        transition_(n, 1) {
    now_.x.setZero();
    density_.gradient(now_.x, now_.logp, now_.grad);
  }

  void warm_up() {
    const LaneNoise noise{1, 0, iteration_++};
    kernel_.step(density_, tuning_, now_, noise, adapter_.wants(), transition_);
    adapter_.learn({transition_, now_, density_, noise, static_cast<Index>(noise.iteration)}, tuning_);
    commit(tuning_, transition_, now_);
  }

  void sample() {
    kernel_.step(density_, tuning_, now_, LaneNoise{1, 0, iteration_++}, {}, transition_);
    commit(tuning_, transition_, now_);
  }

  const Matrix& lower() const { return tuning_.factor().as<LowerFactor>().lower(); }

 private:
  Gaussian target_;
  Evaluator density_;
  Langevin kernel_;
  SpeedMeasureAdapter adapter_{SpeedMeasureOptions{}};
  Tuning tuning_;
  State now_;
  Transition transition_;
  std::uint64_t iteration_ = 0;
};

void iterations(Index n, double sampling_bar, double warmup_bar) {
  Chain sampling(n), warming(n);
  for (int i = 0; i < 3000; ++i) {  // to the usual acceptance
    sampling.warm_up();
    warming.warm_up();
  }
  Vector noise(n), moved(n), whitened(n);
  std::uint64_t iteration = 0;
  const auto bare = [&] {
    fill_normal(NoiseKey{2, 0, iteration++}, Purpose::proposal, noise);
    lower_times(sampling.lower(), noise.data(), moved.data());
    lower_transpose_times(sampling.lower(), moved.data(), whitened.data());
  };
  // Warm-up iterations differ (where r >= 0 there is little to learn): many make one run.
  constexpr int many = 40;
  const auto repeat = [](auto action) {
    return [action] {
      for (int i = 0; i < many; ++i) action();
    };
  };
  std::vector<Competitor> field{Competitor(repeat(bare), many),
                                Competitor(repeat([&] { sampling.sample(); }), many),
                                Competitor(repeat([&] { warming.warm_up(); }), many)};
  race(field, 6);
  const std::string what = fmt::format("gadmala, n = {0}: {{}} / (two products + {0} normals)", n);
  say(fmt::format(fmt::runtime(what), "iteration"), ratio(field[1], field[0]), sampling_bar, false);
  say(fmt::format(fmt::runtime(what), "warm-up iteration"), ratio(field[2], field[0]), warmup_bar,
      false);
}

void noise() {
  for (const Index n : {100, 785}) {
    Vector z(n);
    std::mt19937_64 generator(1);
    std::normal_distribution<double> normal;
    std::uint64_t iteration = 0;
    std::vector<Competitor> field{
        Competitor([&] { std::ranges::generate(z, [&] { return normal(generator); }); }),
        Competitor([&] {
          fill_normal(NoiseKey{1, 0, iteration++}, Purpose::proposal, z);
        })};
    race(field, 2);
    say(fmt::format("{} normals: time of std::normal_distribution / ours", n),
        ratio(field[0], field[1]), 4, true);
  }
}

class NoSink final : public Sink {
 public:
  void begin_sampling(Index, const Tuning&) override {}
  void write(Index, const DrawStatistics&, ConstVectorRef) override {}
};

/// gadmala with `batches` chains on as many threads.
void run_batches(const std::shared_ptr<const Target>& target, int batches) {
  RunOptions options;
  options.chains = options.threads = batches;
  options.warmup = 5000;
  options.draws = 70000;
  const RunPlan plan(target, find_sampler("gadmala"), {}, options);
  NoSink sink;
  Monitor monitor(batches);
  run(plan, sink, monitor);
}

/// As many threads with matrix products of their own, about as long: what the machine gives to
/// threads that need nothing from each other. Products, because a neighbour on the other half of a
/// core slows nothing that merely waits for its own last result.
void run_products(int threads) {
  const auto multiply = [] {
    const Matrix a = Matrix::Random(96, 96), b = a;
    Matrix c = a;
    for (int i = 0; i < 8000; ++i) c.noalias() += a * b;
  };
  std::vector<std::jthread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(multiply);
  multiply();
}

/// Twice the work of one thread over the time of two, by the wall clock and by CPU time.
struct Throughput {
  std::function<void(int)> run;
  double wall[2] = {1e9, 1e9}, cpu[2] = {1e9, 1e9};  // the best of one and of two threads

  void measure() {
    for (const int threads : {1, 2}) {
      const double start = clock_seconds(CLOCK_MONOTONIC);
      const double cpu_start = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
      run(threads);
      double& best = wall[threads - 1];
      double& best_cpu = cpu[threads - 1];
      best = std::min(best, clock_seconds(CLOCK_MONOTONIC) - start);
      best_cpu = std::min(best_cpu, clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_start);
    }
  }
  double by_wall() const { return 2 * wall[0] / wall[1]; }
  double by_cpu() const { return 4 * cpu[0] / cpu[1]; }
};

/// The bar is for idle cores, and bare threads show whether they are. Where not, the wall clock
/// says nothing of us, and the line falls back to CPU time, which sees what the threads cost each
/// other but not whether they wait. Runs of half a second: the system spreads threads over the
/// cores only after some hundredths.
void threads(const Table& data) {
  const auto target = std::make_shared<Logistic>(data.x, data.y, 1);
  Throughput ours{[&](int batches) { run_batches(target, batches); }}, bare{run_products};
  for (int round = 0; round < 5; ++round) {
    ours.measure();
    bare.measure();
  }
  const bool idle = bare.by_wall() > 1.9;
  const std::string what = "two batches on two threads: throughput / one's";
  say(idle ? what : what + ", CPU time", idle ? ours.by_wall() : ours.by_cpu(), 1.7, true);
  fmt::print("  by wall clock {:.2f}, of bare threads {:.2f}{}\n", ours.by_wall(), bare.by_wall(),
             idle ? "" : ": the cores are busy, so CPU time counts");
}

double load_average() {
  double load[1] = {0};
  return getloadavg(load, 1) == 1 ? load[0] : std::nan("");
}

}  // namespace
}  // namespace gadwall::bench

int main(int argc, char** argv) {
  using namespace gadwall::bench;
  openblas_set_num_threads(1);
  const std::string folder = argc > 1 ? argv[1] : "";
  fmt::print("load average {:.1f}, {} cores\n", load_average(),
             std::thread::hardware_concurrency());
  const Table caravan = table("caravan", 5822, 86, folder);
  const Table german = table("german", 1000, 25, folder);
  logistic(caravan, {{16, 0.65}, {64, 0.72}}, 0.85);
  logistic(german, {{16, 0.5}}, 0);
  noise();
  iterations(100, 2, 4);
  iterations(785, 1.3, 2);
  threads(german);
  fmt::print("load average {:.1f}; {} missed\n", load_average(), missed);
  return missed == 0 ? 0 : 1;
}
