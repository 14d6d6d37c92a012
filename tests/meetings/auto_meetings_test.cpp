// The meetings of auto, on batches made by hand.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <cmath>

#include "adapters/lesson_testing.hpp"
#include "adapters/score_metric.hpp"
#include "meetings/arrival.hpp"
#include "meetings/choice.hpp"
#include "meetings/gather.hpp"
#include "meetings/pooling.hpp"

namespace gadwall {
namespace {

using testing::HandMade;
using testing::some_numbers;

/// A batch that lives through lessons whose states the test says.
template <class A>
struct MadeBatch {
  MadeBatch(Index n, Index lanes, Index first, A made_adapter)
      : made(n, lanes),
        adapter(std::move(made_adapter)),
        tuning(Factor::first(Metric::diag, n, 1), 0.5),
        first_chain(first) {}

  /// The lanes move to x, with these scores and log density.
  void live(const Matrix& x, const Matrix& scores, double logp) {
    made.transition.next.x = x;
    made.transition.next.grad = scores;
    made.transition.next.logp.setConstant(logp);
    adapter.learn(made.lesson(static_cast<std::uint64_t>(iterations)), tuning);
    commit(tuning, made.transition, made.before);
    accept_sum += made.transition.accept.mean();
    ++iterations;
  }

  Member member() {
    return {first_chain, iterations, accept_sum, &adapter, tuning, made.before, made.density};
  }

  HandMade made;
  A adapter;
  Tuning tuning;
  Index first_chain;
  Index iterations = 0;
  double accept_sum = 0;
};

using AloneBatch = MadeBatch<AloneAdapter>;
using PooledBatch = MadeBatch<PointsAdapter>;
using ChoosingBatch = MadeBatch<PathsAdapter>;

template <class B>
std::vector<Member> members_of(std::vector<B>& batches) {
  std::vector<Member> members;
  for (B& batch : batches) members.push_back(batch.member());
  return members;
}

/// Four walkers of two lanes; the third is far below the others.
std::vector<AloneBatch> walkers(Index iterations) {
  std::vector<AloneBatch> batches;
  for (Index b = 0; b < 4; ++b) {
    AloneBatch& batch = batches.emplace_back(3, 2, 2 * b, AloneAdapter({.every = 1000}));
    batch.adapter.start(batch.made.before, batch.made.density, {1, 0, 0}, batch.tuning);
    for (Index t = 0; t < iterations; ++t) {
      const Matrix x = some_numbers(3, 2, static_cast<std::uint64_t>(100 * b + t + 1));
      batch.live(x, -x, b == 2 ? -1e4 : -10);
    }
    batch.tuning.step = std::exp(static_cast<double>(b));
  }
  return batches;
}

TEST(Arrival, LetsWaitingLanesGoOnFromEarlierStatesAndReplacesLostOnes) {
  std::vector<AloneBatch> batches = walkers(24);
  std::vector<Member> members = members_of(batches);
  const Matrix walked = batches[0].made.before.x;
  const Vector earlier = batches[0].adapter.points().x().col(15);
  Arrival meeting({});
  Team team;
  EXPECT_TRUE(meeting.hold(members, team));
  meeting.finish(members, team);
  EXPECT_EQ(batches[0].made.before.x.col(0), walked.col(0));
  EXPECT_EQ(batches[0].made.before.x.col(1), earlier);
  EXPECT_EQ(batches[0].made.before.grad.col(1), -earlier);
  EXPECT_EQ(batches[2].made.before.x, batches[0].made.before.x);  // the lost one
  EXPECT_NE(batches[3].made.before.x, batches[0].made.before.x);
  for (const Member& member : members) {
    EXPECT_DOUBLE_EQ(member.tuning.step, std::exp(1.5));                   // the geometric mean
    EXPECT_EQ(member.tuning.factor().matrix_diagonal(), Vector::Ones(3));  // scores are -x
  }
  const std::vector<Note> expected = {
      {"lanes that looked for the bulk", 4.0}, {"lost and replaced", 1.0}, {"replaced chain", 5.0}};
  EXPECT_EQ(meeting.findings(), expected);
}

/// The only good walkers are beyond the chains whose points are pooled.
TEST(Arrival, TakesTheScalesOfLostLanesWhereNoOtherIsPooled) {
  std::vector<AloneBatch> batches;
  for (Index b = 0; b < 3; ++b) {
    AloneBatch& batch =
        batches.emplace_back(3, kPooledChains, kPooledChains * b, AloneAdapter({.every = 1000}));
    batch.adapter.start(batch.made.before, batch.made.density, {1, 0, 0}, batch.tuning);
    for (Index t = 0; t < 24; ++t) {
      const Matrix x = some_numbers(3, kPooledChains, static_cast<std::uint64_t>(100 * b + t + 1));
      batch.live(b == 0 ? Matrix(4 * x) : x, -x, b == 0 ? -1e4 : -10);
    }
  }
  std::vector<Member> members = members_of(batches);
  Arrival meeting({});
  Team team;
  meeting.finish(members, team);
  EXPECT_EQ(batches[0].made.before.x, batches[1].made.before.x);
  for (const Member& member : members) {
    EXPECT_TRUE(member.tuning.factor().matrix_diagonal().isApprox(Vector::Constant(3, 2), 1e-12));
  }
}

TEST(Arrival, WaitsUntilThreeInFourNoLongerClimb) {
  std::vector<AloneBatch> batches = walkers(20);
  Arrival meeting({});
  Team team;
  const auto climb = [&](std::size_t b) {
    for (int t = 0; t < 20; ++t) {
      batches[b].live(some_numbers(3, 2, 5), some_numbers(3, 2, 6), -1000 + 20 * t);
    }
  };
  climb(0);
  std::vector<Member> members = members_of(batches);
  EXPECT_TRUE(meeting.hold(members, team));
  climb(1);
  members = members_of(batches);
  EXPECT_FALSE(meeting.hold(members, team));
}

/// Two batches that move through draws of a Gaussian.
std::vector<PooledBatch> pooled_batches(Index iterations, const Matrix& lower) {
  std::vector<PooledBatch> batches;
  const Index n = lower.rows();
  const Matrix precision = (lower * lower.transpose()).inverse();
  for (Index b = 0; b < 2; ++b) {
    PooledBatch& batch = batches.emplace_back(n, 4, 4 * b, PointsAdapter());
    for (Index t = 0; t < iterations; ++t) {
      const Matrix x = lower * some_numbers(n, 4, static_cast<std::uint64_t>(500 * b + t + 1));
      batch.live(x, -precision * x, -1);
    }
  }
  return batches;
}

TEST(Pooling, MakesOneMetricOfThePointsOfAllBatches) {
  const Matrix lower = testing::some_factor(3, 3);
  std::vector<PooledBatch> batches = pooled_batches(8, lower);
  std::vector<Member> members = members_of(batches);
  Pooling meeting({.first_window = 8});
  Team team;
  EXPECT_FALSE(meeting.hold(members, team));  // one window is not enough
  const GatheredPoints all(
      std::vector<Points>{batches[0].adapter.points, batches[1].adapter.points});
  const auto expected = score_metric(Metric::dense, all.x, all.scores, Vector::Ones(3));
  for (const Member& member : members) {
    EXPECT_EQ(member.tuning.factor().kind(), Metric::dense);
    EXPECT_TRUE(member.tuning.factor().matrix().isApprox(expected->matrix(), 1e-12));
    EXPECT_EQ(member.tuning.step, members.front().tuning.step);
  }
  ASSERT_EQ(meeting.findings().size(), 8U);
  EXPECT_EQ(meeting.findings()[1], (Note{"metric", "dense"}));
}

/// A lane whose log density is far below that of the others goes on from one of them.
TEST(Pooling, FreesLanesThatAreLost) {
  const Matrix lower = testing::some_factor(3, 3);
  std::vector<PooledBatch> batches = pooled_batches(8, lower);
  // Lane 2 of the second batch was at -1e4 all along.
  PooledBatch& second = batches[1];
  second.adapter = PointsAdapter();
  for (Index t = 0; t < 8; ++t) {
    second.made.transition.next.logp = Vector{{-1, -1, -1e4, -1}};
    second.adapter.learn(second.made.lesson(static_cast<std::uint64_t>(t)), second.tuning);
  }
  std::vector<Member> members = members_of(batches);
  const Vector good = batches[0].made.before.x.col(0);
  Pooling meeting({.first_window = 8});
  Team team;
  EXPECT_FALSE(meeting.hold(members, team));
  EXPECT_EQ(second.made.before.x.col(2), good);
  EXPECT_EQ(meeting.findings()[3], (Note{"lost and replaced", 1.0}));
}

/// Three batches of which the last has the chains beyond those that are pooled, and other scales.
TEST(Pooling, LearnsFromTheFirstChainsAndFreesAllThatAreLost) {
  constexpr Index kLanes = kPooledChains / 2;
  std::vector<PooledBatch> batches;
  for (Index b = 0; b < 3; ++b) {
    PooledBatch& batch = batches.emplace_back(3, kLanes, kLanes * b, PointsAdapter());
    for (Index t = 0; t < 8; ++t) {
      const Matrix x = some_numbers(3, kLanes, static_cast<std::uint64_t>(40 * b + t + 1));
      batch.live(b == 2 ? Matrix(100 * x) : x, -x, -1);
    }
  }
  PooledBatch& beyond = batches.back();
  beyond.adapter = PointsAdapter();
  for (Index t = 0; t < 8; ++t) {
    beyond.made.transition.next.logp[5] = -1e4;
    beyond.adapter.learn(beyond.made.lesson(static_cast<std::uint64_t>(t)), beyond.tuning);
  }
  std::vector<Member> members = members_of(batches);
  Pooling meeting({.first_window = 8});
  Team team;
  EXPECT_FALSE(meeting.hold(members, team));
  const GatheredPoints first(
      std::vector<Points>{batches[0].adapter.points, batches[1].adapter.points});
  const auto expected = score_metric(Metric::dense, first.x, first.scores, Vector::Ones(3));
  for (const Member& member : members) {
    EXPECT_TRUE(member.tuning.factor().matrix().isApprox(expected->matrix(), 1e-12));
  }
  EXPECT_EQ(beyond.made.before.x.col(5), batches[0].made.before.x.col(0));
  EXPECT_EQ(meeting.findings()[3], (Note{"lost and replaced", 1.0}));
}

TEST(Pooling, EndsWhenLanesAgreeAndTheMetricStandsStill) {
  const Matrix lower = testing::some_factor(3, 3);
  std::vector<PooledBatch> batches = pooled_batches(8, lower);
  Pooling meeting({.first_window = 8});
  Team team;
  std::vector<Member> members = members_of(batches);
  EXPECT_FALSE(meeting.hold(members, team));
  for (PooledBatch& batch : batches) {
    for (Index t = 0; t < 16; ++t) {
      const Matrix x =
          lower * some_numbers(3, 4, static_cast<std::uint64_t>(900 * (batch.first_chain + 1) + t));
      batch.live(x, -(lower * lower.transpose()).inverse() * x, -1);
    }
  }
  members = members_of(batches);
  EXPECT_TRUE(meeting.hold(members, team));
  meeting.finish(members, team);
  EXPECT_LE(members.front().tuning.step, 1.2);
  EXPECT_FALSE(members.front().tuning.trajectory);  // nothing is curved here
}

TEST(Pooling, GoesOnWhileLanesDisagreeAndEndsAtTheLimitOfGradients) {
  std::vector<PooledBatch> batches;
  for (Index b = 0; b < 2; ++b) {
    PooledBatch& batch = batches.emplace_back(2, 4, 4 * b, PointsAdapter());
    for (Index t = 0; t < 24; ++t) {  // two modes
      const Matrix x = some_numbers(2, 4, static_cast<std::uint64_t>(70 * b + t + 1));
      batch.live(x.array() + 100.0 * static_cast<double>(b), -x, -1);
    }
  }
  const auto over = [&](double most_gradients) {
    Pooling meeting({.first_window = 4, .most_gradients = most_gradients});
    Team team;
    std::vector<Member> members = members_of(batches);
    for (Member& member : members) member.iterations = 4;
    meeting.hold(members, team);
    Vector logp(4);
    Matrix grad(2, 4);
    members[0].density.gradient(members[0].state.x, logp, grad);  // spends
    for (Member& member : members) member.iterations = 12;
    return meeting.hold(members, team);
  };
  EXPECT_FALSE(over(1e6));
  EXPECT_TRUE(over(1));
}

/// A run of the stage: the meeting says what comes next, the test what it sees.
TEST(Choice, EndsWithTheFirstCandidateNearAGaussian) {
  std::vector<ChoosingBatch> batches;
  for (Index b = 0; b < 2; ++b) {
    ChoosingBatch& batch = batches.emplace_back(2, 4, 4 * b, PathsAdapter());
    batch.made.transition.accept.setConstant(1);
    batch.made.transition.leapfrogs.setConstant(4);
    batch.tuning = Choice::first_tuning(Tuning(Factor::unit(2), 5), {});
  }
  EXPECT_EQ(batches[0].tuning.step, 1.2);  // the longest
  Choice meeting({});
  Team team;
  bool over = false;
  Index iteration = 0;
  for (; !over && iteration < 100; ++iteration) {
    for (ChoosingBatch& batch : batches) {
      const auto seed = static_cast<std::uint64_t>(40 * iteration + batch.first_chain + 1);
      const Matrix x = batch.made.before.x, v = some_numbers(2, 4, seed);
      batch.made.transition.path.clear();
      for (int l = 1; l <= 4; ++l) {
        batch.made.transition.path.push_back(
            {std::cos(1.2 * l) * x + std::sin(1.2 * l) * v, Vector::Zero(4)});
      }
      batch.live(batch.made.transition.path[0].x, -x, -1);
    }
    std::vector<Member> members = members_of(batches);
    over = meeting.hold(members, team);
    if (over) meeting.finish(members, team);
  }
  EXPECT_TRUE(over);
  EXPECT_EQ(iteration, ChoiceOptions{}.settling + ChoiceOptions{}.looking);
  for (const ChoosingBatch& batch : batches) {
    EXPECT_EQ(batch.tuning.trajectory->integrator, Integrator::shear);
    EXPECT_LE(batch.tuning.trajectory->most_steps, 2);
    EXPECT_EQ(batch.tuning.step, 1.2);
  }
  ASSERT_EQ(meeting.findings().size(), 9U);
  EXPECT_EQ(meeting.findings()[0], (Note{"candidate", "shear"}));
  EXPECT_EQ(meeting.findings()[4], (Note{"trajectories per draw", 1.0}));
  EXPECT_EQ(meeting.findings()[6], (Note{"confirmed draws per gradient", 0.0}));  // not asked
  EXPECT_EQ(meeting.findings()[8], (Note{"chosen", "yes"}));
}

/// A part of every coordinate turns by 1.2, as before, the other stays where it is: lag 1 sees the
/// first, the states of a stretch the second.
TEST(Choice, ConfirmsAPromiseByItsStatesAndMakesADrawOfSeveralTrajectories) {
  constexpr double kFast = 0.3;  // of the variance
  const double fast = std::sqrt(kFast), slow = std::sqrt(1 - kFast);
  ChoosingBatch batch(2, 16, 0, PathsAdapter());
  batch.made.transition.accept.setConstant(1);
  batch.tuning = Choice::first_tuning(Tuning(Factor::unit(2), 5), {});
  const Matrix still = some_numbers(2, 16, 7);
  Matrix z = some_numbers(2, 16, 8);
  Choice meeting({});
  Team team;
  bool over = false;
  Index iteration = 0;
  for (; !over && iteration < 100; ++iteration) {
    const Matrix v = some_numbers(2, 16, static_cast<std::uint64_t>(40 + iteration));
    const auto turned = [&](int steps) -> Matrix {
      return std::cos(1.2 * steps) * z + std::sin(1.2 * steps) * v;
    };
    const bool along_paths = batch.adapter.wants().path;
    batch.made.transition.leapfrogs.setConstant(along_paths ? 4 : 1);
    batch.made.transition.path.clear();
    for (int l = 1; along_paths && l <= 4; ++l) {
      batch.made.transition.path.push_back({slow * still + fast * turned(l), Vector::Zero(16)});
    }
    z = turned(1);
    const Matrix x = slow * still + fast * z;
    batch.live(x, -x, -1);
    std::vector<Member> members = {batch.member()};
    over = meeting.hold(members, team);
    if (over) meeting.finish(members, team);
  }
  EXPECT_TRUE(over);
  const ChoiceOptions options;
  EXPECT_EQ(iteration, options.settling + options.looking + options.confirming);
  const std::vector<Note> notes = meeting.findings();
  ASSERT_EQ(notes.size(), 9U);
  const double promised = std::get<double>(notes[5].value);
  const double confirmed = std::get<double>(notes[6].value);
  EXPECT_GE(promised, options.good);
  EXPECT_LT(promised, options.plain);
  EXPECT_LT(confirmed, promised / 2);
  EXPECT_EQ(static_cast<double>(batch.tuning.trajectory->per_draw),
            std::ceil(options.least_per_draw / confirmed));
}

}  // namespace
}  // namespace gadwall
