// The present stage, as the live view names it.
#include <gtest/gtest.h>

#include "gadwall/targets.hpp"
#include "progress.hpp"

namespace gadwall::app {
namespace {

TEST(WarmupText, NamesAStageThatIsNotTheOrdinaryWarmUp) {
  const auto target = find_target("gaussian2d").make({}).target;
  const Settings settings = {{"scout", Index{200}}};
  const RunPlan scouted(target, find_sampler("gadmala"), settings, {});
  EXPECT_EQ(warmup_text(scouted, 0), "warm-up (scout)");
  EXPECT_EQ(warmup_text(scouted, 1), "warm-up");
  const RunPlan plain(target, find_sampler("mala"), {}, {});
  EXPECT_EQ(warmup_text(plain, 0), "warm-up");
}

}  // namespace
}  // namespace gadwall::app
