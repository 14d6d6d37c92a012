// Which batch has a chain.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "run/batch.hpp"

namespace gadwall {

/// Of batches in the order of their chains; there may be a million.
inline auto batch_of(const std::vector<std::unique_ptr<Batch>>& batches, Index chain) {
  return std::ranges::partition_point(batches, [chain](const auto& batch) {
    return batch->first_chain() + batch->lanes() <= chain;
  });
}

}  // namespace gadwall
