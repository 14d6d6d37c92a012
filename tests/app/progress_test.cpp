// The live view where memory is short.
#include "progress.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "gadwall/targets.hpp"
#include "sanitizers.hpp"

#if defined(__GLIBC__) && !defined(GADWALL_SANITIZED_MALLOC)
extern std::atomic<std::size_t> largest_allocation;  // allocation_test.cpp

namespace gadwall::app {
namespace {

TEST(Progress, LeavesOutWhatThereIsNoMemoryToShow) {
  RunOptions options;
  options.chains = 20000;
  const RunPlan plan(find_target("gaussian2d").make({}).target, find_sampler("mala"), {}, options);
  const Monitor monitor(plan.run.chains);
  const LiveEstimates estimates(plan);
  {
    const Progress progress(monitor, plan, &estimates);
    largest_allocation = 100000;  // less than a number for every chain
  }
  largest_allocation = SIZE_MAX;
}

}  // namespace
}  // namespace gadwall::app
#endif
