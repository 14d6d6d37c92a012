// Several runs of, presumably, one target: do they agree?
#pragma once

#include <vector>

#include "gadwall/summary.hpp"
#include "report/encode.hpp"

namespace gadwall::report {

/// For the parameters that the first run shares with another, by name:
///   z = (mean_k - mean_1) / sqrt(mcse_k^2 + mcse_1^2),  about standard normal where runs agree,
/// and the ratio of the sds. null for a single run.
Json comparison_data(const std::vector<Summary>& summaries);

}  // namespace gadwall::report
