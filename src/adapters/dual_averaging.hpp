// Nesterov's dual averaging of log step (Hoffman & Gelman 2014, section 3.2): finds the step whose
// mean acceptance is `target`, and averages its iterates for the end of warm-up.
#pragma once

#include "gadwall/archive.hpp"
#include "gadwall/options.hpp"

namespace gadwall {

struct DualAveragingOptions {
  double target = 0.8;  // Stan's default
  double gamma = 0.05;  // how strongly iterates are drawn to mu
  double t0 = 10;       // damps the first iterations
  double kappa = 0.75;  // forgetting of the average: weights t^-kappa

  void describe(OptionFields& o) {
    o("target-accept", target, "acceptance rate to steer to", inside(0, 1));
    o("averaging-gamma", gamma, "dual averaging: pull towards the first step", above(0));
    o("averaging-t0", t0, "dual averaging: damping of the first iterations");
    o("averaging-kappa", kappa, "dual averaging: weights t^-kappa", between(0, 1));
  }
};

class DualAveraging {
 public:
  explicit DualAveraging(DualAveragingOptions options) : options_(options) {}

  /// Begins anew around a step; iterates are drawn to `pull` times it: ten, because large steps are
  /// cheap to try, or less where the step is nearly known.
  void restart(double step, double pull = 10);

  /// The step to use next, from the acceptance in [0, 1] that the last one had.
  double learn(double acceptance);

  /// The averaged step: what is used after warm-up.
  double average() const;

  void archive(Archive& a);

 private:
  DualAveragingOptions options_;
  double mu_ = 0;
  double count_ = 0;
  double error_ = 0;     // running mean of (target - acceptance)
  double log_mean_ = 0;  // averaged log step
};

}  // namespace gadwall
