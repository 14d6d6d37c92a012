// Does stopping on ESS make a run look better than it is? Many runs that stop by themselves, beside
// runs of the same lengths that do not, on Gaussians whose moments are known.
//
// A run that ends when its own estimate of ESS is large ends early where the estimate is too large.
// Were it harmful, the errors of the means would be larger than their MCSEs say: rms z above 1, and
// fewer intervals of 90 % would hold the truth than of runs with a fixed length.
#include <fmt/format.h>

#include <cmath>

#include "gadwall/gadwall.hpp"
#include "targets/gaussian.hpp"

namespace gadwall::bench {
namespace {

constexpr double kNormal90 = 1.6448536269514722;

/// Errors of the means and of the second moments, in standard errors.
struct Scores {
  double squares = 0, ess = 0;
  Index inside = 0, count = 0, runs = 0;

  void add(const SampleResult& result, const Gaussian& target) {
    for (Index j = 0; j < target.dim(); ++j) {
      const ParameterDiagnostics& d = result.summary.parameters[static_cast<std::size_t>(j)].values;
      const double sd = std::sqrt(target.covariance()(j, j));
      for (const double z : {d.mean / d.mcse_mean, (d.sd - sd) / d.mcse_sd}) {
        squares += z * z;
        inside += std::abs(z) < kNormal90 ? 1 : 0;
        ++count;
      }
    }
    ess += result.summary.ess_worst;
    ++runs;
  }

  void say(const std::string& what) const {
    const auto n = static_cast<double>(count);
    fmt::print("  {:<22} rms z {:.3f}  90 % intervals that hold {:.3f}  mean worst ESS {:.0f}\n",
               what, std::sqrt(squares / n), static_cast<double>(inside) / n,
               ess / static_cast<double>(runs));
  }
};

void calibrate(const std::string& what, const std::shared_ptr<const Gaussian>& target, double ess,
               std::uint64_t repeats) {
  Scores stopped, fixed;
  Index draws = 0;
  for (std::uint64_t seed = 1; seed <= repeats; ++seed) {
    SampleOptions options;
    options.run.warmup = 5000;
    options.run.seed = seed;
    options.run.until_ess = ess;
    const SampleResult result = sample(target, options);
    if (result.draws.facts.stopped_by != "ess") continue;
    stopped.add(result, *target);
    draws += result.draws.draws();
    options.run.until_ess = 0;
    options.run.draws = result.draws.draws();
    options.run.seed = seed + 1'000'000;  // as long as a run that stopped, but not for its sake
    fixed.add(sample(target, options), *target);
  }
  fmt::print("{}, ess={}: {} of {} runs stopped, after {} draws per chain on average\n", what, ess,
             stopped.runs, repeats, draws / std::max<Index>(1, stopped.runs));
  stopped.say("stopped by themselves");
  fixed.say("of the same lengths");
}

}  // namespace
}  // namespace gadwall::bench

int main() {
  using namespace gadwall;
  const Vector sds = Vector::LinSpaced(10, 0.1, 1);
  const auto ten = std::make_shared<Gaussian>(Vector::Zero(10), sds.cwiseAbs2().asDiagonal());
  for (const double ess : {100.0, 400.0}) {
    bench::calibrate("gaussian2d", gaussian2d(), ess, 400);
    bench::calibrate("10 normals, sds 0.1 to 1", ten, ess, 400);
  }
}
