// The library names options in backquotes, and whoever shows a text says them as its reader does.
#pragma once

#include <string>

namespace gadwall {

/// As on the command line: `lanes` becomes --lanes, `metric=dense` --metric dense.
std::string with_dashes(const std::string& text);

}  // namespace gadwall
