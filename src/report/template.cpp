#include "report/template.hpp"

#include <utility>
#include <vector>

#include "report/assets.hpp"

namespace gadwall::report {
namespace {

/// The template with every {{name}} replaced, in one pass: what is put in is never looked at.
std::string fill(std::string_view page,
                 const std::vector<std::pair<std::string_view, std::string_view>>& parts) {
  std::string text;
  for (;;) {
    const std::size_t open = page.find("{{");
    text += page.substr(0, open);
    if (open == std::string_view::npos) return text;
    const std::size_t close = page.find("}}", open);
    const std::string_view name = page.substr(open + 2, close - open - 2);
    for (const auto& [key, value] : parts) {
      if (key == name) text += value;
    }
    page.remove_prefix(close + 2);
  }
}

}  // namespace

std::string self_contained_page(const std::string& title, const Json& data, std::string_view code) {
  return fill(assets::page_html(), {{"title", html_escape(title)},
                                    {"style", assets::page_css()},
                                    {"vega", assets::vega_js()},
                                    {"data", json_for_script(data)},
                                    {"code", code}});
}

}  // namespace gadwall::report
