// The laws that chains start from.
#include "gadwall/start.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "gadwall/error.hpp"
#include "starts/far_tail.hpp"

namespace gadwall {
namespace {

constexpr int kStartAttempts = 100;
constexpr std::string_view kFarTailName = "+far-tail";

/// The gradient is asked for even where the kernel needs none: a start without one could not teach
/// an adapter either.
bool try_point(Evaluator& density, Index lane, State& state) {
  density.gradient(state.x.col(lane), state.logp.segment(lane, 1), state.grad.col(lane));
  return std::isfinite(state.logp[lane]);
}

[[noreturn]] void give_up(const Evaluator& density, const NoiseKey& key, const std::string& where) {
  const EvaluationTally& seen = density.tally();
  const std::string what = seen.exceptions > 0
                               ? fmt::format("the target threw {} times, first: {}",
                                             seen.exceptions, seen.first_exceptions[0])
                               : "the log density or its gradient was -inf or NaN";
  throw RunError(fmt::format("chain {}: no finite log density {}; {}", key.chain + 1, where, what));
}

/// A law from which points are drawn until one has a density. The attempts are the iterations of
/// the noise.
class RandomStart : public Start {
 public:
  void place(Evaluator& density, const NoiseKey& key, Index lane, State& state) const override {
    NoiseKey attempt = key;
    for (; attempt.iteration < kStartAttempts; ++attempt.iteration) {
      draw(attempt, state.x.col(lane));
      if (try_point(density, lane, state)) return;
    }
    give_up(density, key, fmt::format("in {} starts drawn from {}", kStartAttempts, law()));
  }

 private:
  virtual void draw(const NoiseKey& key, VectorRef x) const = 0;
  virtual std::string law() const = 0;
};

class NormalStart final : public RandomStart {
 public:
  explicit NormalStart(double sd) : sd_(sd) {}
  std::string name() const override { return fmt::format("normal:{}", sd_); }

 private:
  void draw(const NoiseKey& key, VectorRef x) const override {
    fill_normal(key, Purpose::start, x);
    x *= sd_;
  }
  std::string law() const override { return fmt::format("N(0, {}^2 I)", sd_); }

  double sd_;
};

class UniformStart final : public RandomStart {
 public:
  explicit UniformStart(double radius) : radius_(radius) {}
  std::string name() const override { return fmt::format("uniform:{}", radius_); }

 private:
  void draw(const NoiseKey& key, VectorRef x) const override {
    UniformStream uniform(key, Purpose::start);
    for (double& entry : x) entry = radius_ * (2 * uniform.next() - 1);
  }
  std::string law() const override { return fmt::format("the cube (-{0:g}, {0:g})^n", radius_); }

  double radius_;
};

class GivenStart final : public Start {
 public:
  GivenStart(Matrix points, Index first_chain)
      : points_(std::move(points)), first_chain_(first_chain) {}

  void place(Evaluator& density, const NoiseKey& key, Index lane, State& state) const override {
    const Index column = static_cast<Index>(key.chain) - first_chain_;
    if (column < 0 || column >= points_.cols()) {
      throw UsageError(fmt::format("`start` has no point for chain {}, expected chains {} to {}",
                                   key.chain + 1, first_chain_ + 1, first_chain_ + points_.cols()));
    }
    state.x.col(lane) = points_.col(column);
    if (!try_point(density, lane, state)) give_up(density, key, "at the given start");
  }

  void check(Index dim, Index chains) const override {
    if (points_.rows() == dim && points_.cols() == chains) return;
    throw UsageError(fmt::format("`start` is {} x {}, expected {} x {} (dimension x chains)",
                                 points_.rows(), points_.cols(), dim, chains));
  }

  std::string name() const override { return "given"; }

 private:
  Matrix points_;
  Index first_chain_;
};

class FarTailStart final : public Start {
 public:
  explicit FarTailStart(StartPart from) : from_(std::move(from)) {}

  void place(Evaluator& density, const NoiseKey& key, Index lane, State& state) const override {
    from_->place(density, key, lane, state);
    leave_far_tail(density, lane, state);
  }
  void check(Index dim, Index chains) const override { from_->check(dim, chains); }
  std::string name() const override { return from_->name() + std::string(kFarTailName); }

 private:
  StartPart from_;
};

[[noreturn]] void refuse_start(const std::string& text) {
  throw UsageError(
      fmt::format("`start` is '{}', expected normal:SD or uniform:R, SD above 0, R at least 0, "
                  "each also with {}",
                  text, kFarTailName));
}

}  // namespace

StartPart normal_start(double sd) {
  if (!(sd > 0) || !std::isfinite(sd)) refuse_start(fmt::format("normal:{}", sd));
  return std::make_shared<NormalStart>(sd);
}

StartPart uniform_start(double radius) {
  if (!(radius >= 0) || radius >= 1e300) refuse_start(fmt::format("uniform:{}", radius));
  return std::make_shared<UniformStart>(radius);
}

StartPart given_start(Matrix points, Index first_chain) {
  return std::make_shared<GivenStart>(std::move(points), first_chain);
}

StartPart far_tail_start(StartPart from) {
  return std::make_shared<FarTailStart>(std::move(from));
}

StartPart start_from_text(const std::string& text) {
  std::string_view rest = text;
  const bool far = rest.ends_with(kFarTailName);
  if (far) rest.remove_suffix(kFarTailName.size());
  const std::size_t colon = rest.find(':');
  const std::string_view law = rest.substr(0, colon);
  std::optional<double> number;
  if (colon != std::string_view::npos) {
    double value = 0;
    const char* const last = rest.data() + rest.size();
    const auto [end, error] = std::from_chars(rest.data() + colon + 1, last, value);
    if (error != std::errc() || end != last) refuse_start(text);
    number = value;
  }
  if (law != "normal" && law != "uniform") refuse_start(text);
  const StartPart start =
      law == "normal" ? normal_start(number.value_or(1)) : uniform_start(number.value_or(2));
  return far ? far_tail_start(start) : start;
}

}  // namespace gadwall
