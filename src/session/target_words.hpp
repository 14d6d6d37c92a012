// What a target is told in words.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gadwall/targets.hpp"

namespace gadwall::session {

struct TargetWord {
  std::string name;  // with hyphens: "prior-sd"
  std::string kind;  // of its value, for people; empty: a switch, "true" or "false"
  std::string help;
  std::function<void(TargetOptions&, const std::string&)> set;  // UsageError for a bad value
};

/// Those of all targets; TargetRow::options says which a target takes.
const std::vector<TargetWord>& target_words();

/// UsageError where the target takes no such word; the nearest is named.
void set_target_word(const TargetRow& row, TargetOptions& options, const std::string& name,
                     const std::string& value);

}  // namespace gadwall::session
