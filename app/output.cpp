// Which files a run writes.
#include "output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "gadwall/error.hpp"

namespace gadwall::app {
namespace {

namespace fs = std::filesystem;

bool is_taken(const std::string& name, Index chains) {
  std::error_code ignored;
  for (Index c = 1; c <= chains; ++c) {
    if (fs::exists(fs::symlink_status(chain_path(name, c), ignored))) return true;
  }
  return false;
}

std::string free_name(const std::string& name, Index chains) {
  std::string candidate = name;
  for (int i = 2; is_taken(candidate, chains); ++i) candidate = fmt::format("{}-{}", name, i);
  return candidate;
}

/// A default name must never be in the way, even when two runs start at the same moment.
Output open_free(const RunPlan& plan, const std::string& target, const std::string& base) {
  for (;;) {
    const std::string name = free_name(base, plan.run.chains);
    try {
      return {name, std::make_unique<CsvSink>(plan, target, name, false)};
    } catch (const UsageError&) {
      if (free_name(base, plan.run.chains) == name) throw;
    }
  }
}

}  // namespace

Output open_output(const RunPlan& plan, const std::string& target,
                   const std::optional<std::string>& out, bool force) {
  const std::string standard = target + "-" + plan.sampler->name;
  std::string name = out.value_or(standard);
  if (name.empty()) throw UsageError("--out is '', expected a name for the files");
  std::error_code ignored;
  const bool directory = out && (name.ends_with('/') || fs::is_directory(name, ignored));
  if (directory) name = (fs::path(name) / standard).string();
  constexpr std::string_view ending = ".csv";
  if (name.size() > ending.size() && name.ends_with(ending)) {
    name.resize(name.size() - ending.size());
  }
  if ((directory || !out) && !force) return open_free(plan, target, name);
  return {name, std::make_unique<CsvSink>(plan, target, name, force)};
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view plain = "+,-./:=@_";
  const bool is_plain = std::ranges::all_of(text, [&](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || byte >= 0x80 || plain.find(c) != std::string_view::npos;
  });
  if (is_plain && !text.empty()) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace gadwall::app
