// The loader, with libraries that were written by hand to behave and to misbehave.
#include "stan/target.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gadwall/error.hpp"
#include "gadwall/evaluator.hpp"
#include "gadwall/host.hpp"
#include "message_of.hpp"

namespace gadwall::stan {
namespace {

std::string fake(const std::string& kind) {
  return std::string(GADWALL_FAKE_MODELS) + "/fake_" + kind + ".so";
}

std::string refusal(const std::string& library, const std::string& data = "") {
  return testing::message_of([&] { StanTarget(library, data, 1); });
}

TEST(StanTarget, HasTheNamesOfCoordinatesAndOfValues) {
  const StanTarget target(fake("good"), "", 1);
  EXPECT_EQ(target.dim(), 2);
  EXPECT_EQ(target.names(), (std::vector<std::string>{"mu", "tau"}));
  EXPECT_EQ(target.output_names(),
            (std::vector<std::string>{"mu", "tau", "twice.1", "twice.2", "noise"}));
}

TEST(StanTarget, EvaluatesEveryColumn) {
  const StanTarget target(fake("good"), "", 1);
  const Matrix x = (Matrix(2, 3) << 1, 2, 3, -1, 0.5, 0).finished();
  Vector logp(3);
  Matrix grad(2, 3);
  target.evaluate(x, logp, grad);
  for (Index k = 0; k < 3; ++k) EXPECT_DOUBLE_EQ(logp[k], -0.5 * x.col(k).squaredNorm());
  EXPECT_EQ(grad, -x);
  Vector alone(3);
  Matrix none;
  target.evaluate(x, alone, none);
  EXPECT_EQ(alone, logp);
  // Two gradients take less than automatic differentiation, which this library has.
  Matrix product(2, 3);
  EXPECT_FALSE(target.hessian_times(x, x, product));
}

TEST(StanTarget, HandsOnItsDataInTheOrderOfFiles) {
  const StanTarget target(fake("good"), R"({"N": 2, "X": [[1, 2, 3], [4, 5, 6]], "y": [7, 8]})", 1);
  const TargetData data = target.data();
  ASSERT_EQ(data.constant.size(), 2U);
  EXPECT_EQ(data.constant[0].name, "N");
  EXPECT_EQ(data.constant[1].shape, (std::vector<Index>{2, 3}));
  EXPECT_EQ(data.constant[1].values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  ASSERT_EQ(data.observed.size(), 1U);
  EXPECT_EQ(data.observed[0].name, "y");
}

/// Generators that the library has made.
int generators() {
  void* library = dlopen(fake("good").c_str(), RTLD_NOW | RTLD_LOCAL);
  return *static_cast<std::atomic<int>*>(dlsym(library, "fake_generators"));
}

TEST(StanTarget, MakesGeneratorsOnlyForWhatIsRandomAndWanted) {
  const StanTarget target(fake("good"), "", 1);
  const Vector x = (Vector(2) << 0.5, 0).finished();
  Vector values(5);
  const auto made_by = [&](const std::vector<Index>& wanted) {
    const int before = generators();
    const auto maker = target.draw_maker(wanted);
    for (std::uint64_t i = 0; i < 640; ++i) maker->make(x, {7, 1, i}, values);
    return generators() - before;
  };
  EXPECT_EQ(made_by({0, 1}), 0);
  EXPECT_EQ(values[1], 1);
  EXPECT_EQ(made_by({0, 3}), 0);
  EXPECT_EQ(values[3], 2);
  EXPECT_EQ(made_by({4}), 10);
  EXPECT_EQ(made_by({}), 10);
}

TEST(StanTarget, GoesOnWithItsRandomValuesAfterARestart) {
  const StanTarget target(fake("good"), "", 1);
  const Vector x = (Vector(2) << 0.5, 0).finished();
  const auto whole = target.draw_maker({});
  auto parts = target.draw_maker({});
  std::set<double> seen;
  for (std::uint64_t i = 3; i < 300; ++i) {
    Vector wanted(5), got(5);
    whole->make(x, {7, 1, i}, wanted);
    parts->make(x, {7, 1, i}, got);
    EXPECT_EQ(wanted, got) << i;
    seen.insert(got[4]);
    if (i % 7 != 0) continue;
    Archive saved;
    parts->archive(saved);
    parts = target.draw_maker({});
    Archive restored(saved.bytes());
    parts->archive(restored);
  }
  EXPECT_EQ(seen.size(), 297U);
  Vector other(5);
  target.draw_maker({})->make(x, {7, 2, 3}, other);
  EXPECT_EQ(seen.count(other[4]), 0U);
}

TEST(StanTarget, MakesTheSameGeneratedValuesFromTheSameKeyAlone) {
  const StanTarget target(fake("good"), "", 1);
  const Vector x = (Vector(2) << 0.5, 0).finished();
  Vector first(5), again(5), other(5);
  target.output(x, {7, 1, 10}, first);
  target.output(x, {7, 1, 11}, other);
  target.output(x, {7, 1, 10}, again);
  EXPECT_EQ(first, again);
  EXPECT_NE(first[4], other[4]);
  EXPECT_EQ(first.head(4), (Vector(4) << 0.5, 1, 1, 2).finished());
}

TEST(StanTarget, FindsTheCoordinatesOfAKeptDraw) {
  const StanTarget target(fake("good"), "", 1);
  const Vector x = (Vector(2) << -0.3, 1.2).finished();
  Vector values(5);
  target.output(x, {1, 0, 0}, values);
  EXPECT_TRUE(target.coordinates(target.output_names(), values).isApprox(x, 1e-15));
  EXPECT_THROW(target.coordinates({"mu"}, values.head(1)), UsageError);
  values[1] = -1;
  EXPECT_THROW(target.coordinates(target.output_names(), values), UsageError);
}

TEST(StanTarget, CountsRejectedPointsAndKeepsTheModelsMessage) {
  const StanTarget target(fake("good"), "reject", 1);
  Evaluator evaluator(target);
  const Matrix x = (Matrix(2, 2) << 1, -1, 0, 0).finished();
  Vector logp(2);
  Matrix grad(2, 2);
  evaluator.gradient(x, logp, grad);
  EXPECT_TRUE(std::isfinite(logp[0]));
  EXPECT_EQ(logp[1], -INFINITY);
  EXPECT_EQ(evaluator.tally().exceptions, 1U);
  EXPECT_EQ(evaluator.tally().first_exceptions, std::vector<std::string>{"mu is negative"});
}

TEST(StanTarget, KeepsNaNWhereGeneratedQuantitiesFail) {
  const StanTarget target(fake("good"), "reject", 1);
  Vector values(5);
  std::vector<std::string> told;
  set_log([&told](MessageKind kind, const std::string& text) {
    if (kind == MessageKind::warning) told.push_back(text);
  });
  ::testing::internal::CaptureStderr();
  target.output((Vector(2) << 1, 0).finished(), {1, 0, 0}, values);
  target.output((Vector(2) << 1, 0).finished(), {1, 0, 1}, values);
  set_log(nullptr);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");  // the library prints nothing
  EXPECT_EQ(values.head(4), (Vector(4) << 1, 1, 2, 2).finished());
  EXPECT_TRUE(std::isnan(values[4]));
  EXPECT_EQ(told,
            std::vector<std::string>{"values of a draw are NaN: generated quantities: rejected"});
}

TEST(StanTarget, TakesTurnsWhereTheModelHasNoThreads) {
  const StanTarget target(fake("serial"), "", 1);  // aborts when two are in it
  EXPECT_FALSE(target.has_threads());
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&target] {
      const Matrix x = Matrix::Ones(2, 1);
      Vector logp(1), values(5);
      Matrix grad(2, 1);
      for (int i = 0; i < 20000; ++i) {
        target.evaluate(x, logp, grad);
        target.output(x.col(0), {1, 0, 0}, values);
      }
    });
  }
}

TEST(StanTarget, RefusesWhatIsNotACompiledProgram) {
  EXPECT_EQ(refusal("absent.so"), "there is no library absent.so");
  const std::string text = ::testing::TempDir() + "text.so";
  std::ofstream(text) << "not a library\n";
  EXPECT_NE(refusal(text).find("not a library that can be loaded"), std::string::npos);
  EXPECT_NE(refusal(fake("missing_symbol")).find("has no symbol bs_param_constrain"),
            std::string::npos);
  EXPECT_NE(refusal(fake("wrong_version")).find("made by BridgeStan 1, expected BridgeStan 2"),
            std::string::npos);
  EXPECT_NE(refusal(fake("no_parameters")).find("no parameters"), std::string::npos);
}

TEST(StanTarget, ShowsTheModelsOwnMessageAboutBadData) {
  EXPECT_EQ(refusal(fake("good"), "bad"), "N is -1, but must be at least 0");
}

}  // namespace
}  // namespace gadwall::stan
