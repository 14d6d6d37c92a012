// Warm-up that ends when what is learnt has settled.
#include "meetings/settling.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gadwall/gadwall.hpp"

namespace gadwall {
namespace {

constexpr double kTarget = 0.55;
const SettlingOptions kOptions{};

/// Looks at a diagonal L whose scales follow `scale(window)`.
template <class Scale>
Settling look(Index windows, double acceptance, Scale scale) {
  Settling settling;
  for (Index w = 1; w <= windows; ++w) {
    const Vector entries{{1, scale(static_cast<double>(w))}};
    settling.look(Factor::diagonal(entries).log_scales(),
                  acceptance * static_cast<double>(w * kOptions.window));
  }
  return settling;
}

TEST(Settling, EndsWhenNoScaleDrifts) {
  EXPECT_TRUE(look(12, kTarget, [](double) { return 3.0; }).is_settled());
}

TEST(Settling, GoesOnWhileOneScaleCreeps) {
  const auto creeping = [](double w) { return std::exp(0.05 * w); };
  EXPECT_FALSE(look(12, kTarget, creeping).is_settled());
}

TEST(Settling, GoesOnWhileAcceptanceIsElsewhere) {
  EXPECT_FALSE(look(12, kTarget + 0.1, [](double) { return 3.0; }).is_settled());
}

TEST(Settling, NeedsALeastLength) {
  const Index few = kOptions.least / kOptions.window - 1;
  EXPECT_FALSE(look(few, kTarget, [](double) { return 3.0; }).is_settled());
}

TEST(Settling, ForgetsTheBeginning) {
  const auto jump = [](double w) { return w < 3 ? 0.01 : 3.0; };
  EXPECT_TRUE(look(12, kTarget, jump).is_settled());
}

TEST(SettlingMeeting, MeetsAtTheEndOfEveryWindow) {
  const SettlingMeeting meeting(kOptions);
  EXPECT_EQ(meeting.next(0), kOptions.window);
  EXPECT_EQ(meeting.next(kOptions.window - 1), kOptions.window);
  EXPECT_EQ(meeting.next(kOptions.window), 2 * kOptions.window);
}

TEST(Settling, EndsTheWarmUpOfARunAtOneIterationForAnyNumberOfThreads) {
  SampleOptions options;
  options.sampler = "gadmala";
  options.run.chains = 4;
  options.settings = {{"learning-rate", 2e-3}};  // settles in a few thousand iterations
  options.run.warmup_settles = true;
  options.run.draws = 50;
  const auto density = [](ConstVectorRef x, VectorRef grad) {
    grad = -x;
    return -0.5 * x.squaredNorm();
  };
  const SampleResult one = sample(density, 20, options);
  EXPECT_LT(one.draws.facts.warmup, find_sampler("gadmala").warmup);
  EXPECT_EQ(one.draws.facts.warmup % kOptions.window, 0);
  const auto looks = static_cast<double>(one.draws.facts.warmup / kOptions.window);
  EXPECT_EQ(one.draws.facts.stages.front().notes,
            (std::vector<Note>{{"looks", looks}, {"settled batches", 4.0}}));
  options.run.threads = 3;
  const SampleResult three = sample(density, 20, options);
  EXPECT_EQ(three.draws.facts.warmup, one.draws.facts.warmup);
  EXPECT_EQ(three.draws.chains[3].draws, one.draws.chains[3].draws);
}

TEST(Settling, IsForSamplersThatLearnAllAlong) {
  SampleOptions options;
  options.sampler = "nuts";
  options.run.warmup_settles = true;
  const auto density = [](ConstVectorRef x, VectorRef grad) {
    grad = -x;
    return -0.5 * x.squaredNorm();
  };
  EXPECT_THROW(sample(density, 2, options), UsageError);
}

}  // namespace
}  // namespace gadwall
