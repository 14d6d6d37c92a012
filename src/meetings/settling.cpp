#include "meetings/settling.hpp"

#include <algorithm>
#include <cmath>

namespace gadwall {

void Settling::look(const Tuning& tuning, double accept_sum) {
  const Vector now = tuning.factor().log_scales();
  scales_.conservativeResize(now.size(), looks() + 1);
  scales_.rightCols(1) = now;
  accept_sums_.push_back(accept_sum);
}

/// Three stretches of equal length: the second and the third are compared.
bool Settling::is_settled(double target_accept) const {
  const Index third = looks() / 3;
  if (third == 0 || looks() * options_.window < options_.least) return false;
  const Vector before = scales_.middleCols(looks() - 2 * third, third).rowwise().mean();
  const Vector after = scales_.rightCols(third).rowwise().mean();
  const double accepted =
      accept_sums_.back() - accept_sums_[accept_sums_.size() - 1 - static_cast<std::size_t>(third)];
  const double acceptance = accepted / static_cast<double>(third * options_.window);
  return (after - before).cwiseAbs().maxCoeff() < options_.scale_tolerance &&
         std::abs(acceptance - target_accept) < options_.accept_tolerance;
}

void Settling::archive(Archive& a) {
  a("scales", scales_);
  a("accept sums", accept_sums_);
}

}  // namespace gadwall
