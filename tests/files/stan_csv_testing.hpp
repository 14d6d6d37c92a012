// What the tests of Stan CSV share: a directory of their own and a small run to write there.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "files/stan_csv.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {

inline bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

inline void replace(std::string& text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

using Strings = std::vector<std::string>;

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

inline void expect_warnings(const Strings& warnings, const Strings& parts) {
  ASSERT_EQ(warnings.size(), parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) expect_contains(warnings[i], parts[i]);
}

inline void expect_usage_error(const std::function<void()>& act, const std::string& part) {
  try {
    act();
    ADD_FAILURE() << "no error; wanted one that holds: " << part;
  } catch (const UsageError& error) {
    expect_contains(error.what(), part);
  }
}

/// Numbers of every size, the extremes among them; the first draw of each chain is divergent.
inline Draws some_draws(std::size_t chains, Index draws, Index dim) {
  std::mt19937_64 engine(1);
  const auto number = [&engine] {
    const double mantissa = static_cast<double>(engine()) / 1.8446744073709552e19 - 0.5;
    return std::ldexp(mantissa, static_cast<int>(engine() % 2000) - 1000);
  };
  Draws result;
  result.statistics = common_statistics();
  for (Index j = 0; j < dim; ++j) result.names.push_back("x." + std::to_string(j + 1));
  for (std::size_t c = 0; c < chains; ++c) {
    Chain chain{Matrix::NullaryExpr(draws, dim, number), Matrix::NullaryExpr(draws, 7, number)};
    chain.statistics.col(1) =
        chain.statistics.col(1).unaryExpr([](double x) { return x > 0; }).cast<double>() / 3;
    chain.statistics.middleCols(3, 3).setZero();
    chain.statistics(0, 5) = 1;
    chain.draws(0, 0) = std::numeric_limits<double>::denorm_min();
    chain.draws(0, dim - 1) = -std::numeric_limits<double>::max();
    result.chains.push_back(std::move(chain));
  }
  result.facts.target = "gaussian2d";
  result.facts.sampler = "gadmala";
  result.facts.chains = static_cast<Index>(chains);
  result.facts.lanes = 2;
  result.facts.warmup = 500;
  result.facts.draws = draws;
  result.facts.seed = std::numeric_limits<std::uint64_t>::max();
  return result;
}

inline StanCsvHeader header_for(const Draws& run) {
  StanCsvHeader header;
  header.facts = run.facts;
  header.names = run.names;
  header.facts.draws_asked = run.facts.draws;
  header.start_datetime = "2025-01-31 12:00:00 UTC";
  return header;
}

class StanCsvFixture : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::path(testing::TempDir()) /
                 (std::string("gadwall_") + test->test_suite_name() + "_" + test->name());
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  std::string contents(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }

  std::string write_text(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  /// NAME_1.csv, NAME_2.csv, ...
  std::vector<std::string> write_run(const std::string& name, const Draws& run) const {
    std::vector<std::string> files;
    for (std::size_t c = 0; c < run.chains.size(); ++c) {
      files.push_back(path(name + "_" + std::to_string(c + 1) + ".csv"));
      StanCsvHeader header = header_for(run);
      header.chain = static_cast<Index>(c + 1);
      header.metric = Metric::diag;
      StanCsvWriter writer(files.back(), header);
      writer.adaptation_diagonal(0.5, Vector::Ones(run.dim()));
      for (Index i = 0; i < run.draws(); ++i) {
        writer.draw(run.chains[c].statistics.row(i).transpose(),
                    run.chains[c].draws.row(i).transpose());
      }
      MeasuredFacts costs;
      costs.seconds = {1.0 / 3, 1e-5};
      costs.gradients = {501, 11};
      costs.densities = {7, 8};
      costs.bad_points = 3;
      writer.costs(costs, {0.5, 2e-5});
      writer.finish();
    }
    return files;
  }

 private:
  std::filesystem::path directory_;
};

}  // namespace gadwall::files
