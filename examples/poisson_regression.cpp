// A model with data: a struct that holds them and has operator(). Then the same posterior by two
// samplers, and what an effective draw costs with each.
#include <cmath>
#include <cstdio>
#include <gadwall/gadwall.hpp>
#include <memory>
#include <span>
#include <vector>

// Counts of accidents y_i in t_i years on roads of length x_i km:
//   y_i ~ Poisson(t_i exp(a + b log x_i)),  a, b ~ N(0, 2^2).
// No Eigen is needed: spans will do.
struct AccidentModel {
  std::vector<double> log_length, years, accidents;

  double operator()(std::span<const double> theta, std::span<double> grad) const {
    const double a = theta[0];
    const double b = theta[1];
    double logp = -(a * a + b * b) / 8;
    grad[0] = -a / 4;
    grad[1] = -b / 4;
    for (std::size_t i = 0; i < accidents.size(); ++i) {
      const double log_rate = a + b * log_length[i];
      const double expected = years[i] * std::exp(log_rate);
      logp += accidents[i] * log_rate - expected;
      grad[0] += accidents[i] - expected;
      grad[1] += (accidents[i] - expected) * log_length[i];
    }
    return logp;
  }
};

int main() {
  const AccidentModel model{
      {0.1, 0.7, 1.1, 1.6, 2.0, 2.3, 2.9}, {5, 5, 4, 5, 3, 5, 5}, {3, 8, 7, 19, 14, 31, 55}};
  const auto target = gadwall::make_target(model, 2, {"intercept", "slope"});

  bool agree = true;
  std::vector<gadwall::ParameterDiagnostics> slopes;
  for (const char* sampler : {"gadmala", "nuts"}) {
    gadwall::SampleOptions options;
    options.sampler = sampler;
    options.run.draws = 2000;
    options.run.warmup = 2000;
    options.run.seed = 2026;
    if (options.sampler == "gadmala") options.settings["learning-rate"] = 1e-3;  // a short warm-up
    const gadwall::Summary summary = gadwall::sample(target, options).summary;
    std::printf("%s%.3f effective draws per gradient\n\n", gadwall::to_text(summary).c_str(),
                summary.ess_worst_per_gradient());
    slopes.push_back(summary.parameters[1].values);
  }

  // Two samplers, one posterior: the means differ by no more than their Monte Carlo errors.
  const double error = std::hypot(slopes[0].mcse_mean, slopes[1].mcse_mean);
  agree = std::abs(slopes[0].mean - slopes[1].mean) < 4 * error;
  std::printf("the slopes %s\n", agree ? "agree" : "disagree");
  return agree ? 0 : 1;
}
