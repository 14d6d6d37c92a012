// Groups of their own in the draws file, as ArviZ has them: for values that are no parameters, and
// for data.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gadwall/run.hpp"

namespace gadwall {

/// The group of each array.
using FileGroups = std::map<std::string, std::string>;

/// Those that values can be in beside the posterior.
const std::vector<std::string>& value_groups();

/// theta of theta.1.2
std::string array_of(const std::string& value);

/// "posterior_predictive=y_rep,observed_data=y"; "none": every value belongs to the posterior.
FileGroups file_groups_from_text(const std::string& text);
std::string to_text(const FileGroups& groups);

/// UsageError where the run asks for a group of what the target does not have.
void check_groups(const RunPlan& plan);

/// Of the arrays that are kept: as the run says, else as they are called. Where nothing would be
/// left for the posterior all stay there.
FileGroups groups_of_values(const RunPlan& plan);

}  // namespace gadwall
