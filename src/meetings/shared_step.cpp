#include "meetings/shared_step.hpp"

#include <cmath>
#include <numeric>

namespace gadwall {
namespace {

double mean_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

}  // namespace

/// All batches have as many lanes, so that the mean over batches is the mean over lanes.
bool SharedStep::hold(std::span<Member> mine, Team& team) {
  if (!begun_) {
    std::vector<double> logs;
    for (const Member& member : mine) logs.push_back(std::log(member.tuning.step));
    averaging_.restart(std::exp(mean_of(gather_by_batch(std::move(logs), team))));
    accept_sums_.assign(mine.size(), 0);
    begun_ = true;
  }
  const auto iterations = static_cast<double>(mine.front().iterations - looked_at_);
  std::vector<double> accepted;
  for (std::size_t b = 0; b < mine.size(); ++b) {
    accepted.push_back((mine[b].accept_sum - accept_sums_[b]) / iterations);
    accept_sums_[b] = mine[b].accept_sum;
  }
  looked_at_ = mine.front().iterations;
  const double step = averaging_.learn(mean_of(gather_by_batch(std::move(accepted), team)));
  for (Member& member : mine) member.tuning.step = step;
  return false;
}

void SharedStep::finish(std::span<Member> mine, Team&) {
  if (!begun_) return;
  for (Member& member : mine) member.tuning.step = averaging_.average();
}

void SharedStep::archive(Archive& a) {
  a("averaging", averaging_);
  a("begun", begun_);
  a("looked at", looked_at_);
  a("accept sums", accept_sums_);
}

}  // namespace gadwall
