// What our side adds to a Stan program's own gradient, per gradient: one line a program, exit 1
// where it is more than a microsecond and 5 % of the program's own time.
//   gadwall_stan_overhead LIBRARY DATA ...     libraries compiled with stan_own_gradient.hpp
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "files/text_file.hpp"
#include "gadwall/evaluator.hpp"
#include "gadwall/sample.hpp"
#include "race.hpp"
#include "stan/target.hpp"

namespace gadwall::bench {
namespace {

constexpr double kMostSeconds = 1e-6;
constexpr double kMostShare = 0.05;
constexpr double kRaceSeconds = 3;

/// Stan's own function, and what it works on.
class OwnGradient {
 public:
  OwnGradient(const std::string& library, const std::string& data, Index dim)
      : x_(static_cast<std::size_t>(dim)), grad_(x_.size()) {
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);  // it is loaded already
    const auto make = reinterpret_cast<void* (*)(const char*)>(dlsym(handle, "own_model"));
    gradient_ = reinterpret_cast<Function>(dlsym(handle, "own_gradient"));
    if (make == nullptr || gradient_ == nullptr) {
      fmt::print(stderr, "{}: not compiled with stan_own_gradient.hpp\n", library);
      std::exit(2);
    }
    model_ = make(data.c_str());
  }

  double operator()(const Vector& x) {
    std::copy(x.begin(), x.end(), x_.begin());
    return gradient_(model_, &x_, &grad_);
  }

 private:
  using Function = double (*)(void*, std::vector<double>*, std::vector<double>*);

  std::vector<double> x_;
  std::vector<double> grad_;
  Function gradient_ = nullptr;
  void* model_ = nullptr;
};

/// CPU seconds per gradient of a whole run: trajectories, adaptation, draws with their transformed
/// and generated values.
double run_seconds(const std::shared_ptr<const stan::StanTarget>& target) {
  const SamplerRow& nuts = find_sampler("nuts");
  RunOptions options;
  options.start = gadwall::uniform_start(2);
  const RunPlan plan(target, nuts, {}, options);
  MemorySink sink(plan);
  Monitor monitor(plan.run.chains);
  const double begin = clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
  const RunOutcome outcome = run(plan, sink, monitor);
  return (clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - begin) /
         static_cast<double>(outcome.facts.gradients.total());
}

bool measure(const std::string& library, const std::string& data_file) {
  const std::string data = files::read_text_file(data_file);
  const auto target = std::make_shared<stan::StanTarget>(library, data, 1);
  OwnGradient own(library, data, target->dim());
  Evaluator evaluator(*target);
  const Vector x = Vector::LinSpaced(target->dim(), -0.5, 0.5);
  Vector logp(1);
  Matrix grad(target->dim(), 1);
  double sum = 0;  // so that no call is left out
  std::vector<Competitor> field = {Competitor([&] { sum += own(x); }),
                                   Competitor([&] { evaluator.gradient(x, logp, grad); })};
  race(field, kRaceSeconds);
  const double own_seconds = median(field[0].bursts);
  const double added = median(field[1].bursts) - own_seconds;
  const double most = kMostSeconds + kMostShare * own_seconds;
  fmt::print(
      "{:<40} {:8.3f} us of its own, {:+7.3f} us ours   <= {:.3f} {}; a nuts run {:.3f} us\n",
      library.substr(library.rfind('/') + 1), 1e6 * own_seconds, 1e6 * added, 1e6 * most,
      added <= most ? "held" : "MISSED", 1e6 * run_seconds(target));
  return added <= most && std::isfinite(sum);
}

}  // namespace
}  // namespace gadwall::bench

int main(int argc, char** argv) {
  bool held = true;
  for (int i = 1; i + 1 < argc; i += 2)
    held = gadwall::bench::measure(argv[i], argv[i + 1]) && held;
  return held ? 0 : 1;
}
