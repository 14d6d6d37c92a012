// Files of Stan's JSON.
#pragma once

#include <string>

namespace gadwall::stan {

/// The text, without the byte order mark that some editors put before it. UsageError where the file
/// cannot be read, is empty, or holds no object: a table, say.
std::string read_stan_json(const std::string& path);

}  // namespace gadwall::stan
