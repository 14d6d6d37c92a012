#include "adapters/step.hpp"

#include <cmath>

namespace gadwall {

void StepAdapter::learn(const Lesson& lesson, Tuning& tuning) {
  const double excess = lesson.accepted_share() / options_.target_accept - 1;
  const double growth = 1 + options_.rate * excess;
  tuning.step *= options_.variance ? std::sqrt(growth) : growth;
}

}  // namespace gadwall
