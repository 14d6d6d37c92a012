// Repeats made by hand.
#pragma once

#include <filesystem>
#include <string>

#include "reproduce/repeat.hpp"

namespace gadwall::testing {

inline app::reproduce::Repeat made_repeat(const std::string& experiment, const std::string& method,
                                          int number, double seconds, double ess_min) {
  app::reproduce::Repeat repeat;
  repeat.name = {experiment, method, number};
  repeat.settings = {{"draws", "20000"}, {"seed", std::to_string(number)}};
  repeat.warmup = 20000;
  repeat.draws = 20000;
  repeat.seconds = repeat.wall_seconds = seconds;
  repeat.acceptance = 0.5;
  repeat.ess = {ess_min, 2 * ess_min, 3 * ess_min};
  repeat.ess_worst = ess_min / 2;
  repeat.evaluations = 40000;
  return repeat;
}

/// An empty directory of the test's own: tests run side by side.
inline std::filesystem::path fresh_directory(const std::string& name) {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) /
                                     (std::string(test->test_suite_name()) + test->name() + name);
  std::filesystem::remove_all(path);
  return path;
}

}  // namespace gadwall::testing
