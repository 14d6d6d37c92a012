// What several batches learnt, as one factor.
#pragma once

#include <span>

#include "gadwall/factor.hpp"

namespace gadwall {

/// The factor, of the same form, of the mean of the covariances A A^T. UsageError where the forms
/// or the dimensions differ.
Factor pooled(std::span<const Factor> factors);

}  // namespace gadwall
