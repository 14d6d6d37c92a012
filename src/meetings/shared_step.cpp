#include "meetings/shared_step.hpp"

#include <cmath>

namespace gadwall {

bool SharedStep::hold(std::span<Member> mine, Team& team) {
  if (!begun_) {
    std::vector<double> logs;
    for (const Member& member : mine) logs.push_back(std::log(member.tuning.step));
    averaging_.restart(std::exp(mean_over_batches(std::move(logs), team)));
    begun_ = true;
  }
  const double step = averaging_.learn(acceptance_.since_last(mine, team));
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
  a("acceptance", acceptance_);
}

}  // namespace gadwall
