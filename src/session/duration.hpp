// Lengths of time as people write them: 90, 90s, 10m, 2h, 1h30m, 1.5d.
#pragma once

#include <string>

namespace gadwall::session {

/// Seconds; UsageError that names the option where the text is no positive time.
double duration(const std::string& option, const std::string& text);

}  // namespace gadwall::session
