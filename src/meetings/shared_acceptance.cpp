#include "meetings/shared_acceptance.hpp"

#include <numeric>

namespace gadwall {

double SharedAcceptance::since_last(std::span<Member> mine, Team& team) {
  sums_.resize(mine.size(), 0);
  const auto iterations = static_cast<double>(mine.front().iterations - looked_at_);
  std::vector<double> accepted;
  for (std::size_t b = 0; b < mine.size(); ++b) {
    accepted.push_back((mine[b].accept_sum - sums_[b]) / iterations);
    sums_[b] = mine[b].accept_sum;
  }
  looked_at_ = mine.front().iterations;
  return mean_over_batches(std::move(accepted), team);
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
