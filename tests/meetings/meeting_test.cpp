// What happens at meetings, on members made by hand.
#include "gadwall/meeting.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "adapters/lesson_testing.hpp"
#include "meetings/shared_step.hpp"

namespace gadwall {
namespace {

/// A batch of two lanes, chains first and first + 1.
struct MadeBatch {
  explicit MadeBatch(Index first)
      : target(testing::standard_normal(3)),
        density(*target),
        tuning(Factor::unit(3), 0.5),
        state(3, 2),
        first_chain(first) {
    state.x = testing::some_numbers(3, 2, static_cast<std::uint64_t>(first + 1));
    state.grad = -state.x;
    state.logp = -state.x.colwise().squaredNorm().transpose() / 2;
    state.whitened_version = 5;
  }

  Member member(Index iterations, double accept_sum) {
    return {first_chain, iterations, accept_sum, nullptr, tuning, state, density};
  }

  std::shared_ptr<const Target> target;
  Evaluator density;
  Tuning tuning;
  State state;
  Index first_chain;
};

/// What the other process would say, before or after this one.
class PairOfProcesses final : public Team {
 public:
  PairOfProcesses(int rank, std::string other) : rank_(rank), other_(std::move(other)) {}
  int rank() const override { return rank_; }
  int size() const override { return 2; }
  std::vector<std::string> gather_all(std::string bytes) override {
    if (rank_ == 0) return {std::move(bytes), other_};
    return {other_, std::move(bytes)};
  }

 private:
  int rank_;
  std::string other_;
};

TEST(CopyLane, MovesAStateToAnotherBatch) {
  MadeBatch one(0), two(2);
  std::vector<Member> members = {one.member(1, 0), two.member(1, 0)};
  Team alone;
  const Matrix before = two.state.x;
  copy_lane(1, 2, members, alone);
  EXPECT_EQ(two.state.x.col(0), one.state.x.col(1));
  EXPECT_EQ(two.state.grad.col(0), one.state.grad.col(1));
  EXPECT_EQ(two.state.logp[0], one.state.logp[1]);
  EXPECT_EQ(two.state.x.col(1), before.col(1));
  EXPECT_EQ(two.state.whitened_version, 0U);
  EXPECT_EQ(one.state.whitened_version, 5U);
}

TEST(AllAgree, NeedsEveryProcess) {
  Team alone;
  EXPECT_TRUE(all_agree(true, alone));
  EXPECT_FALSE(all_agree(false, alone));
  PairOfProcesses with_no(0, "no"), with_yes(1, "yes");
  EXPECT_FALSE(all_agree(true, with_no));
  EXPECT_TRUE(all_agree(true, with_yes));
}

TEST(GatherByBatch, KeepsTheOrderOfTheBatches) {
  Archive other;
  std::vector<double> numbers = {3, 4};
  other("numbers", numbers);
  PairOfProcesses first(0, other.bytes()), second(1, other.bytes());
  EXPECT_EQ(gather_by_batch({1, 2}, first), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(gather_by_batch({1, 2}, second), (std::vector<double>{3, 4, 1, 2}));
}

/// One update per meeting, on the mean over all batches.
TEST(SharedStep, IsOneDualAveragingOnTheMeanAcceptanceOfAll) {
  MadeBatch one(0), two(2);
  one.tuning.step = 0.2;
  two.tuning.step = 0.8;
  const DualAveragingOptions averaging;
  SharedStep meeting({.averaging = averaging, .every = 2});
  EXPECT_EQ(meeting.next(4), 6);
  DualAveraging expected(averaging);
  expected.restart(std::exp((std::log(0.2) + std::log(0.8)) / 2));
  Team alone;
  const double sums[3][2] = {{1.0, 1.5}, {2.5, 2.5}, {2.75, 4.5}};
  double last[2] = {0, 0};
  for (Index m = 0; m < 3; ++m) {
    std::vector<Member> members = {one.member(2 * m + 2, sums[m][0]),
                                   two.member(2 * m + 2, sums[m][1])};
    EXPECT_FALSE(meeting.hold(members, alone));
    const double mean = ((sums[m][0] - last[0]) / 2 + (sums[m][1] - last[1]) / 2) / 2;
    const double step = expected.learn(mean);
    EXPECT_EQ(one.tuning.step, step);
    EXPECT_EQ(two.tuning.step, step);
    last[0] = sums[m][0];
    last[1] = sums[m][1];
  }
  std::vector<Member> members = {one.member(6, 0), two.member(6, 0)};
  meeting.finish(members, alone);
  EXPECT_EQ(one.tuning.step, expected.average());
  EXPECT_EQ(two.tuning.step, expected.average());
}

}  // namespace
}  // namespace gadwall
