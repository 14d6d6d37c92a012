#include "run/share.hpp"

#include <numeric>

namespace gadwall {

Index chains_kept_together(const RunPlan& plan) {
  Index together = 1;
  for (const Stage& stage : plan.stages) together = std::lcm(together, stage.lanes);
  return together;
}

Share share_of(const RunPlan& plan, int rank, int size) {
  const Index together = chains_kept_together(plan);
  const Index pieces = plan.run.chains / together;
  return {pieces * rank / size * together, pieces * (rank + 1) / size * together};
}

}  // namespace gadwall
