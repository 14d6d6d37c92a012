#include "meetings/settling.hpp"

#include <algorithm>
#include <cmath>

#include "meetings/gather.hpp"

namespace gadwall {
namespace {

/// What one batch says at a look.
struct Look {
  Vector log_scales;
  double accept_sum = 0;

  void archive(Archive& a) {
    a("log scales", log_scales);
    a("accept sum", accept_sum);
  }
};

}  // namespace

void Settling::look(const Vector& log_scales, double accept_sum) {
  scales_.conservativeResize(log_scales.size(), looks() + 1);
  scales_.rightCols(1) = log_scales;
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
  std::vector<Look> looks;
  for (const Member& member : mine) {
    looks.push_back({member.tuning.factor().log_scales(), member.accept_sum});
  }
  looks = gather_values(std::move(looks), team);
  batches_.resize(looks.size(), Settling(options_));
  for (std::size_t b = 0; b < looks.size(); ++b) {
    batches_[b].look(looks[b].log_scales, looks[b].accept_sum);
  }
  ++looks_;
  settled_ = std::ranges::count_if(batches_, &Settling::is_settled);
  return settled_ == static_cast<Index>(batches_.size());
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
