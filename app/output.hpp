// Where the draws of a run go: from --out, or from the names of target and sampler.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gadwall/run.hpp"
#include "io/csv_sink.hpp"

namespace gadwall::app {

struct Output {
  std::string name;  // of the run: what summary and diagnose take
  std::unique_ptr<CsvSink> sink;
};

/// --out NAME is the name, also where it is written as NAME.csv. Without it, or where it is a
/// directory, the name is TARGET-SAMPLER, there; if that is taken TARGET-SAMPLER-2, -3, ...
/// Existing files are overwritten only when force is set.
Output open_output(const RunPlan& plan, const std::string& target,
                   const std::optional<std::string>& out, bool force);

/// The text as one word of a shell command.
std::string shell_word(const std::string& text);

}  // namespace gadwall::app
