// What crosses between the processes of a run by `auto`, and what it costs on a cluster.
//
// Processes are threads of this one. They count what they exchange in warm-up, where pooling takes
// place: messages M, and bytes D that each receives. A network with latency L and bandwidth B then
// takes M L (1 + 2 log2 R) + D / B: everybody tells the first, who answers along a tree, and the
// bytes come along a ring. Beyond the numbers of processes that are run, M stays and D grows with
// R. `pays from`: the seconds of a gradient at which that is 3 % of the work of warm-up.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "gadwall/gadwall.hpp"
#include "run/team_of_threads.hpp"

namespace {

using namespace gadwall;

constexpr Index kLanes = 8;  // a batch of them on every process

struct Traffic {
  double messages = 0;
  double bytes = 0;  // that one process receives
};

/// Counts what the first process takes part in.
class CountedTeam final : public Team {
 public:
  CountedTeam(Team& team, Traffic& traffic) : team_(team), traffic_(traffic) {}
  int rank() const override { return team_.rank(); }
  int size() const override { return team_.size(); }
  std::vector<std::string> gather_all(std::string bytes) override {
    const auto own = static_cast<double>(bytes.size());
    std::vector<std::string> all = team_.gather_all(std::move(bytes));
    for (const std::string& part : all) traffic_.bytes += static_cast<double>(part.size());
    traffic_.bytes -= own;
    traffic_.messages += 1;
    return all;
  }
  std::string from_first(std::string bytes) override {
    traffic_.messages += 1;
    return team_.from_first(std::move(bytes));
  }

 private:
  Team& team_;
  Traffic& traffic_;
};

class Nowhere final : public Sink {
  void begin_sampling(Index, const Tuning&) override {}
  void write(Index, const DrawStatistics&, ConstVectorRef) override {}
};

/// N(0, diag(1 ... 2)).
std::shared_ptr<const Target> scaled_normal(Index n) {
  const Vector precision = Vector::LinSpaced(n, 1, 0.25);
  return make_target(
      [precision](ConstVectorRef x, VectorRef grad) {
        grad = -precision.cwiseProduct(x);
        return grad.dot(x) / 2;
      },
      n);
}

struct Measured {
  Traffic traffic;
  double gradients = 0;  // of one process, in warm-up
};

Measured warm_up(Index n, int ranks) {
  RunOptions options;
  options.lanes = kLanes;
  options.chains = kLanes * ranks;
  options.draws = 1;
  const RunPlan plan(scaled_normal(n), find_sampler("auto"), {}, options);
  Measured measured;
  testing::with_team(ranks, [&](Team& team) {
    Traffic traffic;
    CountedTeam counted(team, traffic);
    Nowhere sink;
    Monitor monitor(plan.run.chains);
    const RunOutcome outcome = run(plan, sink, monitor, {}, counted);
    if (!team.is_first()) return;
    measured.traffic = traffic;
    measured.gradients = static_cast<double>(outcome.facts.gradients.warmup) / ranks;
  });
  return measured;
}

struct Network {
  const char* name;
  double latency;    // seconds
  double bandwidth;  // bytes per second
};

double seconds_on(const Network& network, const Traffic& traffic, int ranks) {
  return traffic.messages * network.latency * (1 + 2 * std::log2(ranks)) +
         traffic.bytes / network.bandwidth;
}

void print_row(Index n, int ranks, const Measured& m, bool is_run) {
  constexpr double kShare = 0.03;
  constexpr Network kNetworks[] = {{"InfiniBand", 2e-6, 1e10}, {"Ethernet", 5e-5, 1.2e8}};
  fmt::print("{:>6} {:>5} {:>9.0f} {:>10.3g} {:>10.0f}", n, ranks, m.traffic.messages,
             m.traffic.bytes / 1e6, m.gradients);
  for (const Network& network : kNetworks) {
    const double seconds = seconds_on(network, m.traffic, ranks);
    fmt::print(" {:>10.3g} {:>10.3g}", seconds, 1e6 * seconds / (kShare * m.gradients));
  }
  fmt::print("  {}\n", is_run ? "run" : "model");
}

}  // namespace

int main() {
  fmt::print(
      "                                                2 us, 10 GB/s         50 us, 1 Gbit/s\n"
      "     n ranks  messages MB per rank  gradients    seconds pays from us    seconds pays from "
      "us\n");
  for (const Index n : {100, 1000, 10000}) {
    const int most_run = n > 1000 ? 4 : 16;
    Measured last;
    for (int ranks = 2; ranks <= 1024; ranks *= 2) {
      const bool is_run = ranks <= most_run;
      if (is_run) {
        last = warm_up(n, ranks);
      } else {
        last.traffic.bytes *= 2;
      }
      print_row(n, ranks, last, is_run);
    }
  }
  return 0;
}
