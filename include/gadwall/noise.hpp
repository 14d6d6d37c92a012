// Randomness that depends on (seed, chain, iteration) alone: the number of lanes, of threads and
// of restarts never changes a number drawn.
#pragma once

#include <cstdint>

#include "gadwall/types.hpp"

namespace gadwall {

/// What the numbers are for: streams with different purposes never share a number.
enum class Purpose : std::uint32_t { proposal, decision, trajectory, start, probe, output };

/// One chain at one iteration.
struct NoiseKey {
  std::uint64_t seed = 0;
  std::uint32_t chain = 0;
  std::uint64_t iteration = 0;
};

/// The lanes of one batch at one iteration: chains first, first + 1, ...
struct LaneNoise {
  std::uint64_t seed = 0;
  std::uint32_t first_chain = 0;
  std::uint64_t iteration = 0;

  NoiseKey lane(Index k) const {
    return {seed, first_chain + static_cast<std::uint32_t>(k), iteration};
  }
};

/// Independent N(0, 1) numbers into every entry of out.
void fill_normal(const NoiseKey& key, Purpose purpose, VectorRef out);

/// Column k of out from the stream of lane k.
void fill_normal(const LaneNoise& noise, Purpose purpose, MatrixRef out);

/// Uniform numbers in the open interval (0, 1), one after the other.
class UniformStream {
 public:
  UniformStream(const NoiseKey& key, Purpose purpose);
  double next();

 private:
  NoiseKey key_;
  Purpose purpose_;
  std::uint32_t block_ = 0;
  double waiting_ = -1;  // the second number of the current block, negative when used up
};

}  // namespace gadwall
