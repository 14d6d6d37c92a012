#include "c/memory_draws.hpp"

#include <algorithm>

namespace gadwall::c {

void MemoryDraws::append(const files::ChainBlock& block) {
  if (block.warmup) return;
  const std::lock_guard lock(mutex_);
  for (Index i = 0; i < block.count; ++i) {
    sink_.write(block.chain, block.statistics.col(i), block.values.col(i));
  }
}

Draws MemoryDraws::so_far() const {
  const std::lock_guard lock(mutex_);
  Draws draws = sink_.so_far();
  Index least = draws.draws();
  for (const Chain& chain : draws.chains) least = std::min(least, chain.draws.rows());
  for (Chain& chain : draws.chains) {
    chain.draws.conservativeResize(least, Eigen::NoChange);
    chain.statistics.conservativeResize(least, Eigen::NoChange);
  }
  return draws;
}

}  // namespace gadwall::c
