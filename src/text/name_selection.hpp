// Which values of a draw are kept: 'beta,theta[1:3]'.
#pragma once

#include <string>
#include <vector>

#include "gadwall/types.hpp"

namespace gadwall {

/// A list of items with commas between: a name as it is in the files (theta.2), a stem for all its
/// elements (theta), some of them (theta[2], theta[1:3], sigma[2,1:2]; from 1), or a pattern with *
/// and ? (beta*, *_rep.1). The positions come in the order of the names, each once. UsageError
/// where an item fits nothing, or a range more than there is.
std::vector<Index> select_names(const std::vector<std::string>& names,
                                const std::string& selection);

/// The same for an option of the program, which the error then names.
std::vector<Index> select_names(const std::vector<std::string>& names, const std::string& selection,
                                const std::string& option);

}  // namespace gadwall
