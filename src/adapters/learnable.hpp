// Which forms of a factor the learners of single entries can learn.
#pragma once

#include <string>

#include "gadwall/factor.hpp"

namespace gadwall {

/// UsageError that names the learner, where the form is neither diagonal nor lower triangular.
void require_learnable(const std::string& learner, Metric form);

}  // namespace gadwall
