// Several tunings as one.
#pragma once

#include <span>

#include "gadwall/tuning.hpp"

namespace gadwall {

/// The mean of the covariances, the geometric mean of the steps. All of one form.
Tuning pooled_tuning(std::span<const Tuning* const> tunings);

}  // namespace gadwall
