// The files of the pages, kept inside the library so that a program needs none at run time.
#pragma once

#include <string_view>

namespace gadwall::assets {

std::string_view page_html();
std::string_view page_css();
std::string_view page_js();          // of a report
std::string_view reproduction_js();  // of a reproduction of the paper
std::string_view vega_js();

}  // namespace gadwall::assets
