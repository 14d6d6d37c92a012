// The name a user probably meant, for messages about unknown names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gadwall {

/// The candidate nearest to `name`, or "" when none is near: at most one edit (insertion,
/// deletion, substitution, swap of neighbours) for every three characters of the longer of the
/// two. Upper and lower case are the same. The first candidate wins a tie.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// Throws the UsageError for a name that is in no table: what it should name, the nearest, and all.
[[noreturn]] void refuse_unknown(std::string_view kind, std::string_view name,
                                 const std::vector<std::string>& candidates);

}  // namespace gadwall
