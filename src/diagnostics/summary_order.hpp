// In which order a table has its parameters.
#pragma once

#include <cstddef>
#include <vector>

#include "gadwall/summary.hpp"

namespace gadwall {

constexpr std::size_t kFewParameters = 20;  // fit a screen: shown in the order of the model

/// Positions in Summary::parameters, `rows` of them (0: all).
std::vector<std::size_t> table_order(const Summary& summary, TableOrder order, Index rows);

}  // namespace gadwall
