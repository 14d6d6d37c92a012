// A kernel with statistics of its own, an adapter that records, a meeting that finds: a sampler for
// tests of what reaches the record.
#pragma once

#include <utility>

#include "kernels/random_walk.hpp"
#include "run/run_testing.hpp"

namespace gadwall::testing {

/// A random walk that says how long its proposal was, and which lane it is.
class Travelling final : public Kernel {
 public:
  explicit Travelling(Statistic first = {"travelled", Statistic::Kind::real, "distance__"})
      : first_(std::move(first)) {}

  bool uses_gradient() const override { return false; }
  std::vector<Statistic> own_statistics() const override {
    return {first_, {"lane", Statistic::Kind::count, "lane__", "lane_number"}};
  }
  void step(Evaluator& density, const Tuning& tuning, const State& now, const LaneNoise& noise,
            Wants wants, Transition& out) const override {
    walk_.step(density, tuning, now, noise, wants, out);
    for (Index k = 0; k < now.lanes(); ++k) {
      out.own(k, 0) = (out.next.x.col(k) - now.x.col(k)).norm();
      out.own(k, 1) = static_cast<double>(k);
    }
  }

 private:
  Statistic first_;
  RandomWalk walk_;
};

/// Learns nothing, but counts.
class Still final : public Adapter {
 public:
  Tuning initial_tuning(Index n) const override { return Tuning(Factor::unit(n), 0.5); }
  void learn(const Lesson&, Tuning&) override { ++lessons_; }
  NamedNumbers record(const RecentMeans& recent, const Tuning&) const override {
    return {{"lessons", static_cast<double>(lessons_)}, {"acceptance_seen", recent.acceptance}};
  }
  void archive(Archive& a) override { a("lessons", lessons_); }

 private:
  Index lessons_ = 0;
};

/// Notes every time it is held.
class Noting final : public Meeting {
 public:
  Index next(Index done) const override { return done + 10; }
  bool hold(std::span<Member> mine, Team&) override {
    ++held_;
    accepted_ = mine.front().accept_sum;
    return false;
  }
  void finish(std::span<Member>, Team&) override { finished_ = true; }
  std::vector<Note> findings() const override {
    return {{"held", static_cast<double>(held_)},
            {"accepted", accepted_},
            {"chosen", finished_ ? "the end" : "not yet"}};
  }
  void archive(Archive& a) override {
    a("held", held_);
    a("accepted", accepted_);
  }

 private:
  Index held_ = 0;
  double accepted_ = 0;
  bool finished_ = false;
};

inline SamplerRow travelling_sampler() {
  return make_sampler({.name = "travelling", .summary = "for tests", .warmup = 30, .draws = 20},
                      NoOptions{}, [](const NoOptions&, const Circumstances& c) {
                        std::vector<Stage> stages = learn_then_draw(
                            c, [] { return std::make_unique<Travelling>(); },
                            [] { return std::make_unique<Still>(); });
                        stages.front().meeting = [] { return std::make_unique<Noting>(); };
                        return stages;
                      });
}

}  // namespace gadwall::testing
