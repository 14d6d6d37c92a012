// Points that were in the coordinates of one warp, in those of another.
#pragma once

#include "gadwall/kernel.hpp"
#include "gadwall/warp.hpp"

namespace gadwall {

/// n x K points with log densities and scores; null: the model's own coordinates.
void rewarp(const Warp* from, const Warp* to, MatrixRef x, VectorRef logp, MatrixRef scores);

void rewarp(const Warp* from, const Warp* to, State& state);

}  // namespace gadwall
