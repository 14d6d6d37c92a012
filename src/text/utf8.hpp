// Text of unknown origin as UTF-8, which JSON and our other outputs require.
#pragma once

#include <string>
#include <string_view>

namespace gadwall {

/// The text itself when it is valid UTF-8. Otherwise it is taken for Latin-1, where every byte is
/// a character, so different texts stay different.
std::string as_utf8(std::string_view text);

}  // namespace gadwall
