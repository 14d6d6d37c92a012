// A self-contained page: template, style, plotting library, data and code put together.
#pragma once

#include <string>
#include <string_view>

#include "report/encode.hpp"

namespace gadwall::report {

/// UTF-8. The code finds the data in the page; `title` is plain text.
std::string self_contained_page(const std::string& title, const Json& data, std::string_view code);

}  // namespace gadwall::report
