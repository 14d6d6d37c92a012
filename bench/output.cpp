// What writing the draws and watching the run cost: a run without output, with files, with the live
// estimates too, in turn; wall clock, since writing goes on beside sampling.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "app/progress.hpp"
#include "files/netcdf_run.hpp"
#include "files/queued_sink.hpp"
#include "gadwall/files.hpp"
#include "gadwall/targets.hpp"
#include "race.hpp"
#include "session/live_estimates.hpp"

namespace gadwall::bench {
namespace {

namespace fs = std::filesystem;

constexpr Index kDraws = 1'000'000;
constexpr int kRounds = 3;

class NoSink final : public Sink {
 public:
  void begin_sampling(Index, const Tuning&) override {}
  void write(Index, const DrawStatistics&, ConstVectorRef) override {}
};

struct Cost {
  double wall = 1e300;  // of the best round
  double processor = 1e300;
  double bytes = 0;  // of the files

  template <class Action>
  void measure(Action action) {
    const double wall_begin = clock_seconds(CLOCK_MONOTONIC);
    const double processor_begin = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
    action();
    wall = std::min(wall, clock_seconds(CLOCK_MONOTONIC) - wall_begin);
    processor = std::min(processor, clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - processor_begin);
  }
};

struct Wanted {
  bool netcdf = false, csv = false, live = false;
};

/// With the files in a directory of its own, gone afterwards.
double run_with_output(const RunPlan& plan, const Wanted& wanted) {
  const fs::path directory = fs::temp_directory_path() / fmt::format("gadwall-output-{}", getpid());
  fs::create_directory(directory);
  const std::string name = directory / "run";
  std::vector<std::unique_ptr<files::DrawWriter>> writers;
  const app::LiveEstimates* estimates = nullptr;
  if (wanted.netcdf || wanted.csv) {
    files::NetcdfSchema schema;
    schema.names = plan.output_names();
    static_cast<PlannedFacts&>(schema.facts) = plan.facts();
    writers.push_back(std::make_unique<files::NetcdfRun>(name + ".nc", schema, false));
  }
  if (wanted.live) {
    auto live = std::make_unique<app::LiveEstimates>(plan);
    estimates = live.get();
    writers.push_back(std::move(live));
  }
  {
    files::QueuedSink sink(plan, std::move(writers), [] { return Draws(); });
    Monitor monitor(plan.run.chains);
    RunOutcome outcome;
    {
      const app::Progress progress(monitor, plan, estimates);
      outcome = run(plan, sink, monitor);
    }
    sink.finish(outcome);
    if (wanted.csv) files::export_csv(name);
  }
  double bytes = 0;
  for (const auto& file : fs::directory_iterator(directory)) {
    bytes += static_cast<double>(file.file_size());
  }
  fs::remove_all(directory);
  return bytes;
}

void say(const std::string& what, const Cost& cost, const Cost& bare, Index values) {
  fmt::print("  {:<26} {:>6.2f} s wall {:>7.2f} s CPU  wall / without {:.3f}  CPU / without {:.3f}",
             what, cost.wall, cost.processor, cost.wall / bare.wall,
             cost.processor / bare.processor);
  if (cost.bytes > 0) {
    const double numbers =
        static_cast<double>(kDraws) *
        static_cast<double>(values + static_cast<Index>(common_statistics().size()));
    fmt::print("  {:.2f} bytes per value", cost.bytes / numbers);
  }
  fmt::print("\n");
}

void measure(const std::string& what, const std::shared_ptr<const Target>& target) {
  RunOptions options;
  options.chains = options.threads = 1;
  options.warmup = 20'000;
  options.draws = kDraws;
  const SamplerRow& sampler = find_sampler("gadmala");
  const RunPlan plan(target, sampler, {}, options);
  Cost bare, netcdf, live, csv;
  for (int round = 0; round < kRounds; ++round) {
    bare.measure([&] {
      NoSink sink;
      Monitor monitor(1);
      run(plan, sink, monitor);
    });
    netcdf.measure([&] { netcdf.bytes = run_with_output(plan, {.netcdf = true}); });
    live.measure([&] { live.bytes = run_with_output(plan, {.netcdf = true, .live = true}); });
    csv.measure([&] { csv.bytes = run_with_output(plan, {.csv = true}); });
  }
  fmt::print("{}: {} draws of {} values\n", what, kDraws, target->dim());
  say("no output", bare, bare, target->dim());
  say("NetCDF", netcdf, bare, target->dim());
  say("NetCDF and the live view", live, bare, target->dim());
  say("NetCDF, then CSV from it", csv, bare, target->dim());
}

}  // namespace
}  // namespace gadwall::bench

int main(int argc, char** argv) {
  using namespace gadwall;
  double load = 0;
  getloadavg(&load, 1);
  fmt::print("load average {:.1f}, {} cores\n", load, std::thread::hardware_concurrency());
  bench::measure("neal100", find_target("neal100").make({}).target);
  if (argc > 1) {
    TargetOptions options;
    options.data = std::string(argv[1]) + "/german.csv";
    bench::measure("german", find_target("logistic").make(options).target);
  }
}
