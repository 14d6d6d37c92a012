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
  std::vector<double> values;      // a draw a row
  Index width = 7;                 // statistics of a draw
  std::vector<double> statistics;  // likewise

  DrawBlock block(Index first, Index count) const {
    return {values.data() + first * dim, statistics.data() + first * width, count};
  }
  Index rows() const { return static_cast<Index>(statistics.size()) / width; }
};

/// Statistics beyond the common ones are 100, 101, ... plus the row.
inline TestChain make_chain(Index dim, Index rows, unsigned seed, Index width = 7) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  TestChain chain;
  chain.dim = dim;
  chain.width = width;
  std::vector<double> state(static_cast<std::size_t>(dim));
  double logp = 0;
  for (Index r = 0; r < rows; ++r) {
    const double accept = uniform(generator);
    if (r == 0 || uniform(generator) < 0.55) {
      for (std::size_t j = 0; j < state.size(); ++j) {
        state[j] = 0.9 * state[j] + 0.01 * static_cast<double>(j + 1) * normal(generator);
      }
      logp = normal(generator);
    }
    chain.values.insert(chain.values.end(), state.begin(), state.end());
    const double divergent = r % 17 == 0 ? 1 : 0;
    chain.statistics.insert(chain.statistics.end(),
                            {logp, accept, 0.25, static_cast<double>(r % 5),
                             static_cast<double>(r % 31), divergent, 1 - logp});
    for (Index j = 7; j < width; ++j) chain.statistics.push_back(static_cast<double>(93 + j + r));
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
    const double* statistics = written.statistics.data() + r * written.width;
    if (read.statistics.cols() != written.width) return false;
    for (Index j = 0; j < written.width; ++j) {
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
