#include "adapters/learnable.hpp"

#include <fmt/format.h>

#include "gadwall/error.hpp"

namespace gadwall {

void require_learnable(const std::string& learner, Metric form) {
  if (form == DiagonalFactor::form || form == LowerFactor::form) return;
  throw UsageError(fmt::format("{} learns a factor that is {} or {}, lower triangular, not {}",
                               learner, DiagonalFactor::name, LowerFactor::name, to_string(form)));
}

}  // namespace gadwall
