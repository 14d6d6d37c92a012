// Runs into files, small enough for valgrind: made whole, then stopped, gone on with, read back,
// judged and exported. Exit code 1 where what was stopped has other draws.
//   one_run DIRECTORY
#include <atomic>
#include <cmath>
#include <iostream>
#include <memory>
#include <string>

#include "gadwall/gadwall.hpp"

namespace {

using namespace gadwall;

/// A funnel, which `auto` changes the variables of; ends a run after so many points.
std::shared_ptr<const Target> funnel(Monitor& monitor, int points) {
  const auto left = std::make_shared<std::atomic<int>>(points);
  return make_target(
      [&monitor, left](ConstVectorRef x, VectorRef grad) {
        if (--*left == 0) monitor.stop = true;
        const double v = x[0];
        const auto rest = x.tail(3);
        const double precision = std::exp(-v);
        const double squares = precision * rest.squaredNorm();
        grad[0] = -v / 9 - 1.5 + squares / 2;
        grad.tail(3) = -precision * rest;
        return -v * v / 18 - 1.5 * v - squares / 2;
      },
      4);
}

constexpr int kNever = 1'000'000'000;
constexpr double kAtEveryRest = 1e-9;

SampleOptions options_of(const std::string& sampler) {
  SampleOptions options{.sampler = sampler};
  options.run.chains = 4;
  options.run.threads = 2;
  options.run.warmup = 60;
  options.run.draws = 30;
  options.run.save_warmup = true;
  return options;
}

bool same_draws(const Draws& one, const Draws& other) {
  for (std::size_t c = 0; c < one.chains.size(); ++c) {
    if (one.chains[c].draws != other.chains[c].draws) return false;
  }
  return one.draws() > 0;
}

/// Made whole; then ended after so many points, and gone on with.
bool survives(const std::string& sampler, const std::string& directory, int points) {
  const SampleOptions options = options_of(sampler);
  Monitor whole(options.run.chains);
  files::FileOptions to{.name = directory + "/whole-" + sampler, .overwrite = true};
  files::sample_to_file(funnel(whole, kNever), options, to);

  Monitor stopped(options.run.chains);
  to.name = directory + "/stopped-" + sampler;
  to.checkpoint_seconds = kAtEveryRest;
  to.monitor = &stopped;
  to.csv = true;
  files::sample_to_file(funnel(stopped, points), options, to);
  Monitor resumed(options.run.chains);
  to.monitor = &resumed;
  files::resume(funnel(resumed, kNever), options, to);

  const Draws draws = files::read(to.name);
  const Summary summary = summarise(draws);
  std::cout << to_text(summary) << to_text(judge(draws, summary), summary);
  files::export_csv(to.name, {.overwrite = true});
  files::read_run({to.name + "_1.csv", to.name + "_2.csv"});
  return same_draws(draws, files::read(directory + "/whole-" + sampler));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  bool all = true;
  for (const std::string sampler : {"gadmala", "auto"}) {
    if (survives(sampler, arguments[1], 200)) continue;
    std::cerr << sampler << ": the run that was stopped has other draws\n";
    all = false;
  }
  return all ? 0 : 1;
}
