// The files of the page, kept inside the library so that a program needs none at run time.
#pragma once

#include <string_view>

namespace gadwall::assets {

std::string_view page_html();
std::string_view page_css();
std::string_view page_js();
std::string_view vega_js();

}  // namespace gadwall::assets
