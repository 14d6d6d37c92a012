// What several batches learnt, as one.
#pragma once

#include <span>

#include "gadwall/tuning.hpp"

namespace gadwall {

/// The factor, of the same form, of the mean of the covariances A A^T. UsageError where the forms
/// or the dimensions differ.
Factor pooled(std::span<const Factor> factors);

/// That, and the geometric mean of the steps.
Tuning pooled_tuning(std::span<const Tuning* const> tunings);

}  // namespace gadwall
