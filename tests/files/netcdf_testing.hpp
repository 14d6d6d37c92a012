// Chains with repeated rows, as Metropolis samplers make them, for the tests of NetCDF files.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "files/netcdf_file.hpp"

namespace gadwall::files {

/// One chain: autocorrelated values, a row repeats where the proposal was rejected.
struct TestChain {
  Index dim = 0;
  std::vector<double> values;  // a draw a row
  std::vector<DrawStatistics> statistics;

  DrawBlock block(Index first, Index count) const {
    return {values.data() + first * dim, statistics.data() + first, count};
  }
  Index rows() const { return static_cast<Index>(statistics.size()); }
};

inline TestChain make_chain(Index dim, Index rows, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  TestChain chain;
  chain.dim = dim;
  std::vector<double> state(static_cast<std::size_t>(dim));
  DrawStatistics now;
  for (Index r = 0; r < rows; ++r) {
    now.accept = uniform(generator);
    now.step = 0.25;
    now.tree_depth = static_cast<double>(r % 5);
    now.leapfrogs = static_cast<double>(r % 31);
    now.divergent = r % 17 == 0 ? 1 : 0;
    if (r == 0 || uniform(generator) < 0.55) {
      for (std::size_t j = 0; j < state.size(); ++j) {
        state[j] = 0.9 * state[j] + 0.01 * static_cast<double>(j + 1) * normal(generator);
      }
      now.logp = normal(generator);
      now.energy = -now.logp + 1;
    }
    chain.values.insert(chain.values.end(), state.begin(), state.end());
    chain.statistics.push_back(now);
  }
  return chain;
}

inline std::vector<std::string> vector_names(Index dim) {
  std::vector<std::string> names;
  for (Index j = 1; j <= dim; ++j) names.push_back("x." + std::to_string(j));
  return names;
}

inline NetcdfSchema make_schema(std::vector<std::string> names, Index chains) {
  NetcdfSchema schema;
  schema.names = std::move(names);
  schema.facts.target = "neal100";
  schema.facts.sampler = "gadmala";
  schema.facts.chains = chains;
  schema.facts.warmup = 500;
  schema.facts.draws = 1000;
  schema.facts.seed = 18446744073709551615U;
  schema.facts.settings = {{"target-accept", "0.55"}};
  schema.facts.target_settings = {{"data", "table.csv"}};
  return schema;
}

/// Bit for bit, so that NaN and -0 count too.
inline bool same_draws(const Chain& read, const TestChain& written, Index first, Index rows) {
  if (read.draws.rows() < first + rows || read.draws.cols() != written.dim) return false;
  for (Index r = first; r < first + rows; ++r) {
    for (Index j = 0; j < written.dim; ++j) {
      const double value = written.values[static_cast<std::size_t>(r * written.dim + j)];
      const double found = read.draws(r, j);
      if (std::memcmp(&value, &found, sizeof value) != 0) return false;
    }
    const double* statistics = &written.statistics[static_cast<std::size_t>(r)].logp;
    for (Index j = 0; j < DrawStatistics::count; ++j) {
      if (read.statistics(r, j) != statistics[j]) return false;
    }
  }
  return true;
}

/// A directory of its own for every test, removed with it; in memory, where there is such a place,
/// since fsync costs nothing there.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    const std::filesystem::path memory = "/dev/shm";
    const bool usable = ::access(memory.c_str(), W_OK) == 0;
    std::string name =
        ((usable ? memory : std::filesystem::temp_directory_path()) / "gadwall_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace gadwall::files
