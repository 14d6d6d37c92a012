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
bool Settling::is_settled() const {
  const Index third = looks() / 3;
  if (third == 0 || looks() * options_.window < options_.least) return false;
  const Vector before = scales_.middleCols(looks() - 2 * third, third).rowwise().mean();
  const Vector after = scales_.rightCols(third).rowwise().mean();
  const double accepted =
      accept_sums_.back() - accept_sums_[accept_sums_.size() - 1 - static_cast<std::size_t>(third)];
  const double acceptance = accepted / static_cast<double>(third * options_.window);
  return (after - before).cwiseAbs().maxCoeff() < options_.scale_tolerance &&
         std::abs(acceptance - options_.target_accept) < options_.accept_tolerance;
}

void Settling::archive(Archive& a) {
  a("scales", scales_);
  a("accept sums", accept_sums_);
}

bool SettlingMeeting::hold(std::span<Member> mine, Team& team) {
  batches_.resize(mine.size(), Settling(options_));
  std::vector<double> settled;
  for (std::size_t b = 0; b < mine.size(); ++b) {
    batches_[b].look(mine[b].tuning, mine[b].accept_sum);
    settled.push_back(batches_[b].is_settled() ? 1 : 0);
  }
  settled = gather_by_batch(std::move(settled), team);
  ++looks_;
  settled_ = std::ranges::count(settled, 1.0);
  return settled_ == static_cast<Index>(settled.size());
}

std::vector<Note> SettlingMeeting::findings() const {
  return {{"looks", static_cast<double>(looks_)},
          {"settled batches", static_cast<double>(settled_)}};
}

void SettlingMeeting::archive(Archive& a) {
  auto count = static_cast<Index>(batches_.size());
  a("batches", count);
  a("looks", looks_);
  a("settled", settled_);
  batches_.resize(static_cast<std::size_t>(count), Settling(options_));
  for (std::size_t b = 0; b < batches_.size(); ++b) a(std::to_string(b).c_str(), batches_[b]);
}

}  // namespace gadwall
