// What the columns of the draws say of the run, the same whatever file they were in.
#pragma once

#include "gadwall/draws.hpp"

namespace gadwall::files {

/// Numbers of chains and draws, mean acceptance (where it is finite) and divergences.
void add_column_facts(Draws& draws);

}  // namespace gadwall::files
