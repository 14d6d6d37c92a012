// A sampler of your own: a kernel, an adapter, a row. Here the Barker proposal of Livingstone &
// Zanella (2022), which looks at the gradient only through a coin for each coordinate and is
// therefore hard to break; its step is steered to an acceptance rate.
//
// Without arguments it checks itself. With arguments it is the gadwall program with one more
// sampler:
//
//   example_barker_sampler sample banana --sampler barker --barker-rate 0.05
#include <cmath>
#include <gadwall/adapter.hpp>
#include <gadwall/gadwall.hpp>
#include <gadwall/kernel.hpp>
#include <gadwall/program.hpp>
#include <iostream>

using namespace gadwall;

// y_i = x_i + b_i z_i with z = step * noise and b_i = +1 with probability 1 / (1 + e^(-z_i g_i)).
//   r = log pi(y) - log pi(x) + sum_i log(1 + e^(-g_i(x) d_i)) - log(1 + e^(g_i(y) d_i)),
//   d = y - x
class Barker final : public Kernel {
 public:
  bool uses_gradient() const override { return true; }

  // A column of its own in the files: of how many coordinates the coin turned the noise round.
  std::vector<Statistic> own_statistics() const override {
    return {{"turned", Statistic::Kind::count}};
  }

  void step(Evaluator& density, const Tuning& tuning, const State& now, const LaneNoise& noise,
            Wants, Transition& out) const override {
    fill_normal(noise, Purpose::proposal, out.noise);
    for (Index k = 0; k < now.lanes(); ++k) {
      UniformStream coin(noise.lane(k), Purpose::trajectory);
      Index turned = 0;
      for (Index i = 0; i < now.dim(); ++i) {
        const double z = tuning.step * out.noise(i, k);
        const bool keep = coin.next() < 1 / (1 + std::exp(-z * now.grad(i, k)));
        out.next.x(i, k) = now.x(i, k) + (keep ? z : -z);
        turned += keep ? 0 : 1;
      }
      out.own(k, 0) = static_cast<double>(turned);
    }
    density.gradient(out.next.x, out.next.logp, out.next.grad);
    for (Index k = 0; k < now.lanes(); ++k) {
      const auto d = (out.next.x.col(k) - now.x.col(k)).array();
      out.log_ratio[k] = out.next.logp[k] - now.logp[k] +
                         ((-now.grad.col(k).array() * d).exp().log1p() -
                          (out.next.grad.col(k).array() * d).exp().log1p())
                             .sum();
    }
    decide(noise, out);
  }
};

// On the command line, in the help, in the files: by these names.
struct BarkerOptions {
  double target_accept = 0.57;  // optimal in many dimensions (Vogrinc, Livingstone & Zanella 2022)
  double rate = 0.02;

  void describe(OptionFields& o) {
    o("target-accept", target_accept, "acceptance rate to steer to", inside(0, 1));
    o("barker-rate", rate, "how fast the step of barker follows the acceptance", between(0, 1));
  }
};

class AcceptanceStep final : public Adapter {
 public:
  explicit AcceptanceStep(BarkerOptions options) : options_(options) {}

  Tuning initial_tuning(Index n) const override {
    return Tuning(Factor::unit(n), 1 / std::cbrt(static_cast<double>(n)));
  }
  void learn(const Lesson& lesson, Tuning& tuning) override {
    const double excess = lesson.transition.accept.mean() - options_.target_accept;
    tuning.step *= std::exp(options_.rate * excess);
  }

 private:
  BarkerOptions options_;
};

SamplerRow barker() {
  return make_sampler({.name = "barker",
                       .summary = "Barker proposal, one step size",
                       .warmup = 5000,
                       .draws = 20000},
                      BarkerOptions{}, [](const BarkerOptions& options, const Circumstances& c) {
                        return learn_then_draw(
                            c, [] { return std::make_unique<Barker>(); },
                            [options] { return std::make_unique<AcceptanceStep>(options); });
                      });
}

int main(int argc, char** argv) {
  add_sampler(barker());
  if (argc > 1) return run_program(argc, argv);

  // Lanes, threads, files, diagnostics: all of it works with the new row.
  SampleOptions options;
  options.sampler = "barker";
  options.settings = {{"barker-rate", 0.03}};
  options.run.lanes = 4;
  TargetOptions mild;
  mild.curvature = 0.01;
  const auto target = find_target("banana").make(mild).target;
  const SampleResult result = sample(target, options);
  std::cout << to_text(result.summary);

  // The sd of the first coordinate is 10: a wrong ratio would show here.
  const ParameterDiagnostics& first = result.summary.parameters[0].values;
  return std::abs(first.sd - 10) < 4 * first.mcse_sd ? 0 : 1;
}
