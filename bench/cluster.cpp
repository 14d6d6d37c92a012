// Where pooling stops paying: the warm-up of `auto` on a simulated cluster of 1 to 1024 ranks with
// one batch of 8 lanes each, for n = 100, 1000 and 10,000, against a rank that learns alone; and
// what crosses, counted and by the model of docs/cluster.md.
//   gadwall_cluster [--latency US] [--bandwidth GB/S] [--gradient US] [--dims N,...] [--most RANKS]
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <sstream>
#include <variant>

#include "gadwall/gadwall.hpp"
#include "meetings/gather.hpp"
#include "simulated_cluster.hpp"

namespace {

using namespace gadwall;
using namespace gadwall::bench;

constexpr Index kLanes = 8;
constexpr int kPooledRanks = kPooledChains / kLanes;
constexpr double kMostBytes = 1e9;  // of points at once: beyond, two ranks with several copies of
                                    // them are too much for a small machine

/// Independent normals with standard deviations from 0.1 to 10: symmetric in every coordinate.
class WideNormal final : public Target {
 public:
  explicit WideNormal(Index n) : precision_(n) {
    for (Index j = 0; j < n; ++j) {
      const double share = static_cast<double>(j) / static_cast<double>(n - 1);
      precision_[j] = std::pow(100, 2 * share - 1);
    }
  }

  Index dim() const override { return precision_.size(); }

  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override {
    gradients_of_thread += static_cast<double>(x.cols());
    const Matrix score = -(precision_.asDiagonal() * x);
    logp = x.cwiseProduct(score).colwise().sum().transpose() / 2;
    if (grad.size() > 0) grad = score;
  }

 private:
  Vector precision_;
};

/// The clock when the draws begin.
class WarmupClock final : public Sink {
 public:
  explicit WarmupClock(const Cluster& cluster) : cluster_(cluster) {}
  void begin_sampling(Index chain, const Tuning&) override {
    if (chain > 0) return;
    seconds = cluster_.clock();
    traffic = cluster_.traffic();
  }
  void write(Index, const DrawStatistics&, ConstVectorRef) override {}

  double seconds = 0;
  Traffic traffic;

 private:
  const Cluster& cluster_;
};

struct BenchOptions {
  Network network;
  double gradient = 0;  // seconds that are charged for one
  std::vector<Index> dims = {100, 1000, 10000};
  int most = 1024;
};

struct Measured {
  double seconds = 0;
  Index iterations = 0;
  Traffic traffic;
  double points = 0;       // bytes of the points that a rank gets, by the model
  double most_points = 0;  // of them at once
};

/// A window of w iterations, with the one before it: 16 n + 8 bytes per lane and iteration.
void add_points(const StageFacts& stage, double n, double lanes, Measured& m) {
  double before = 0;
  for (const Note& note : stage.notes) {
    if (note.name != "window") continue;
    const double window = std::get<double>(note.value);
    const double bytes = (16 * n + 8) * lanes * (window + before);
    m.points += bytes;
    m.most_points = std::max(m.most_points, bytes);
    before = window;
  }
}

Measured measure(Index n, int ranks, const BenchOptions& settings) {
  Cluster cluster(ranks, kPooledRanks, settings.network, settings.gradient);
  RunOptions options;
  options.chains = kLanes * ranks;
  options.lanes = kLanes;
  options.draws = 1;
  options.threads = 1;
  options.save = {0};
  const RunPlan plan(std::make_shared<WideNormal>(n), find_sampler("auto"), {}, options);
  const auto pooled = static_cast<double>(std::min(options.chains, kPooledChains));
  WarmupClock sink(cluster);
  Measured m;
  run_on(cluster, [&](Team& team) {
    Monitor monitor(options.chains);
    const RunOutcome outcome = run(plan, sink, monitor, {}, team);
    if (!team.is_first()) return;
    m.iterations = outcome.facts.warmup;
    for (const StageFacts& stage : outcome.facts.stages) {
      add_points(stage, static_cast<double>(n), pooled, m);
    }
  });
  m.seconds = sink.seconds;
  m.traffic = sink.traffic;
  return m;
}

void print_row(Index n, int ranks, const Measured& m, double alone) {
  const double iterations = static_cast<double>(m.iterations);
  fmt::print(
      "{:>6} {:>6} {:>9.3f} {:>8.2f} {:>6} {:>9.2g} {:>9.1f} {:>10.1f} {:>10.4g} {:>10.4g}\n", n,
      ranks, m.seconds, m.seconds / alone, m.iterations, m.traffic.seconds,
      m.traffic.exchanges / iterations, m.traffic.messages / m.traffic.exchanges,
      1e-6 * m.traffic.bytes, 1e-6 * m.points);
  std::fflush(stdout);
}

/// Up to the ranks whose points fit; from kPooledRanks on there are no more points.
void measure_dimension(Index n, const BenchOptions& settings) {
  measure(n, 1, settings);  // the first one pays for fresh memory
  double alone = 0;
  int largest_that_pays = 1;
  for (int ranks = 1; ranks <= settings.most; ranks *= 2) {
    const Measured m = measure(n, ranks, settings);
    if (ranks == 1) alone = m.seconds;
    print_row(n, ranks, m, alone);
    if (m.seconds <= alone) largest_that_pays = ranks;
    if (ranks < kPooledRanks && 2 * m.most_points > kMostBytes) {
      fmt::print("{:>6} {:>6}  not run: {:.1f} GB of points at once\n", n, 2 * ranks,
                 2e-9 * m.most_points);
      break;
    }
  }
  fmt::print("n = {}: a warm-up with others is no longer than one alone up to {} ranks\n\n", n,
             largest_that_pays);
}

BenchOptions settings_from(int argc, char** argv) {
  BenchOptions settings;
  const std::map<std::string, std::function<void(const std::string&)>> options = {
      {"--latency", [&](const auto& v) { settings.network.latency = 1e-6 * std::stod(v); }},
      {"--bandwidth", [&](const auto& v) { settings.network.bandwidth = 1e9 * std::stod(v); }},
      {"--gradient", [&](const auto& v) { settings.gradient = 1e-6 * std::stod(v); }},
      {"--most", [&](const auto& v) { settings.most = std::stoi(v); }},
      {"--dims", [&](const auto& v) {
         settings.dims.clear();
         std::stringstream words(v);
         for (std::string word; std::getline(words, word, ',');) {
           settings.dims.push_back(std::stoll(word));
         }
       }}};
  for (int i = 1; i < argc; i += 2) {
    const auto found = options.find(argv[i]);
    if (found == options.end() || i + 1 == argc) {
      fmt::print(
          stderr,
          "'{}': expected --latency, --bandwidth, --gradient, --dims or --most, and a value\n",
          argv[i]);
      std::exit(2);
    }
    found->second(argv[i + 1]);
  }
  return settings;
}

}  // namespace

int main(int argc, char** argv) {
  const BenchOptions settings = settings_from(argc, argv);
  fmt::print(
      "latency {:g} us, {:g} GB/s, {:g} us charged for a gradient beside its own time; one batch "
      "of {} lanes per rank\n",
      1e6 * settings.network.latency, 1e-9 * settings.network.bandwidth, 1e6 * settings.gradient,
      kLanes);
  fmt::print("{:>6} {:>6} {:>9} {:>8} {:>6} {:>9} {:>9} {:>10} {:>10} {:>10}\n", "n", "ranks",
             "warm-up", "of alone", "its", "network", "exchanges", "messages", "MB into",
             "model of");
  fmt::print("{:>6} {:>6} {:>9} {:>8} {:>6} {:>9} {:>9} {:>10} {:>10} {:>10}\n", "", "", "s", "",
             "", "s", "per it", "per exch", "a rank", "points MB");
  for (const Index n : settings.dims) measure_dimension(n, settings);
}
