#include "stan/json_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "files/text_file.hpp"
#include "gadwall/error.hpp"

namespace gadwall::stan {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr const char* kExpected = R"(expected Stan's JSON, e.g. {"N": 2, "y": [0.5, 3]})";

/// Enough of the first line to know it by.
std::string beginning(const std::string& text, std::size_t at) {
  constexpr std::size_t kShown = 20;
  const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
  const bool whole = end - at <= kShown;
  return text.substr(at, whole ? end - at : kShown) + (whole ? "" : "...");
}

}  // namespace

std::string read_stan_json(const std::string& path) {
  std::string text = files::read_text_file(path);
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) {
    throw UsageError(fmt::format("{}: the file is empty, {}", path, kExpected));
  }
  if (text[first] != '{') {
    throw UsageError(
        fmt::format("{}: begins with '{}', {}", path, beginning(text, first), kExpected));
  }
  return text;
}

}  // namespace gadwall::stan
