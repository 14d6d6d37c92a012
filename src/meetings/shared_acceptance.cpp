#include "meetings/shared_acceptance.hpp"

#include <numeric>

namespace gadwall {

double SharedAcceptance::since_last(std::span<Member> mine, Team& team) {
  std::vector<double> now;
  for (const Member& member : mine) now.push_back(member.accept_sum);
  now = gather_by_batch(std::move(now), team);
  sums_.resize(now.size(), 0);
  const auto iterations = static_cast<double>(mine.front().iterations - looked_at_);
  double sum = 0;
  for (std::size_t b = 0; b < now.size(); ++b) sum += (now[b] - sums_[b]) / iterations;
  sums_ = std::move(now);
  looked_at_ = mine.front().iterations;
  return sum / static_cast<double>(sums_.size());
}

void SharedAcceptance::archive(Archive& a) {
  a("looked at", looked_at_);
  a("sums", sums_);
}

double mean_over_batches(std::vector<double> mine, Team& team) {
  const std::vector<double> all = gather_by_batch(std::move(mine), team);
  return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
}

}  // namespace gadwall
