#include "adapters/dual_averaging.hpp"

#include <algorithm>
#include <cmath>

namespace gadwall {

void DualAveraging::restart(double step, double pull) {
  mu_ = std::log(pull * step);
  count_ = 0;
  error_ = 0;
  log_mean_ = 0;
}

double DualAveraging::learn(double acceptance) {
  count_ += 1;
  const double weight = 1 / (count_ + options_.t0);
  error_ += weight * (options_.target - std::min(1.0, acceptance) - error_);
  const double log_step = mu_ - std::sqrt(count_) / options_.gamma * error_;
  log_mean_ += std::pow(count_, -options_.kappa) * (log_step - log_mean_);
  return std::exp(log_step);
}

double DualAveraging::average() const {
  return std::exp(log_mean_);
}

void DualAveraging::archive(Archive& a) {
  a("mu", mu_);
  a("count", count_);
  a("error", error_);
  a("log mean", log_mean_);
}

}  // namespace gadwall
