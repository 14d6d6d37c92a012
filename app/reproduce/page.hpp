// One self-contained page with every table and figure that there are repeats for.
#pragma once

#include <string>
#include <vector>

#include "reproduce/experiments.hpp"
#include "reproduce/repeat_store.hpp"

namespace gadwall::app::reproduce {

/// Subjects without a repeat are left out.
std::string reproduction_page(const std::vector<Subject>& shown, const RepeatStore& store);

}  // namespace gadwall::app::reproduce
