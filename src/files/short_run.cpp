#include "files/short_run.hpp"

namespace gadwall::files {

ShortRun::ShortRun(const RunPlan& plan, Index most_values) : draws_(plan), room_(most_values) {}

void ShortRun::append(const ChainBlock& block) {
  if (block.warmup || !draws_) return;
  room_ -= block.count * (block.values.rows() + block.statistics.rows());
  if (room_ < 0) return draws_.reset();
  for (Index i = 0; i < block.count; ++i) {
    draws_->write(block.chain, block.statistics.col(i), block.values.col(i));
  }
}

}  // namespace gadwall::files
