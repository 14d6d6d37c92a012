#include "c/memory_draws.hpp"

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
  return sink_.so_far();
}

}  // namespace gadwall::c
