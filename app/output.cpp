// Which files a run writes.
#include "output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "files/csv_export.hpp"
#include "gadwall/error.hpp"
#include "target_arguments.hpp"
#include "text/text_table.hpp"

namespace gadwall::app {
namespace {

namespace fs = std::filesystem;

std::string free_run_name(const std::string& name, Index chains) {
  std::string candidate = name;
  for (int i = 2; files::is_run_taken(candidate, chains); ++i) {
    candidate = fmt::format("{}-{}", name, i);
  }
  return candidate;
}

/// --force overwrites an old file of tuning, never the run itself or what it reads.
void check_tuning_place(const RunArguments& a, const std::string& name, Index chains) {
  if (a.save_tuning.empty()) return;
  std::vector<std::string> files = input_files(a);
  for (const char* ending : {".nc", ".lock", ".checkpoint", ".checkpoint.old", ".summary"}) {
    files.push_back(name + ending);
  }
  for (Index c = 1; c <= chains; ++c) files.push_back(files::chain_path(name, c));
  const auto real = [](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(path));
  };
  for (const std::string& file : files) {
    if (real(file) != real(a.save_tuning)) continue;
    throw UsageError(
        fmt::format("--save-tuning {}: belongs to the run, expected another file", a.save_tuning));
  }
}

files::FileOptions file_options(const RunArguments& a, const RunLabels& labels,
                                const std::string& name) {
  return {.name = name,
          .overwrite = a.force,
          .checkpoint_seconds = a.checkpoint_seconds,
          .csv = a.format == Format::csv,
          .significant_digits = a.significant_digits,
          .target = labels.target,
          .target_settings = labels.target_settings,
          .command = labels.command};
}

/// The live view, where somebody looks, gets the draws too.
files::DrawWriters watchers(const RunPlan& plan, const RunArguments& a, Output& output) {
  files::DrawWriters result;
  if (a.quiet) return result;
  auto estimates = std::make_unique<LiveEstimates>(plan);
  output.estimates = estimates.get();
  result.push_back(std::move(estimates));
  return result;
}

Output open_named(const RunPlan& plan, const RunArguments& a, const files::FileOptions& options,
                  const files::RunOrigin& origin) {
  check_tuning_place(a, options.name, plan.run.chains);
  Output output;
  output.files =
      std::make_unique<files::RunFiles>(plan, options, origin, watchers(plan, a, output));
  return output;
}

/// A default name must never be in the way, even when two runs start at the same moment.
Output open_free(const RunPlan& plan, const RunArguments& a, files::FileOptions options,
                 const files::RunOrigin& origin) {
  const std::string base = options.name;
  for (;;) {
    options.name = free_run_name(base, plan.run.chains);
    try {
      return open_named(plan, a, options, origin);
    } catch (const UsageError&) {
      if (free_run_name(base, plan.run.chains) == options.name) throw;
    }
  }
}

}  // namespace

bool names_directory(const RunArguments& a) {
  std::error_code ignored;
  return a.out && (a.out->ends_with('/') || fs::is_directory(*a.out, ignored));
}

std::string wanted_name(const RunArguments& a) {
  const std::string standard = run_title(a) + "-" + a.sampler;
  const std::string name = a.out.value_or(standard);
  if (name.empty()) throw UsageError("--out is '', expected a name for the files");
  return without_ending(names_directory(a) ? (fs::path(name) / standard).string() : name);
}

Output open_output(const RunPlan& plan, const RunArguments& a, const RunLabels& labels,
                   const files::RunOrigin& origin) {
  const files::FileOptions options = file_options(a, labels, wanted_name(a));
  if ((names_directory(a) || !a.out) && !a.force) return open_free(plan, a, options, origin);
  if (!a.force && files::has_checkpoint(options.name)) {
    throw UsageError(
        fmt::format("{}: the file exists; gadwall resume {} goes on with that run, "
                    "--force overwrites it",
                    files::checkpoint_path(options.name), shell_word(options.name)));
  }
  return open_named(plan, a, options, origin);
}

Output reopen_output(const RunPlan& plan, const RunArguments& a, const RunLabels& labels,
                     const files::RunOrigin& origin, files::StoppedRun stopped) {
  const files::FileOptions options = file_options(a, labels, stopped.lock->run());
  check_tuning_place(a, options.name, plan.run.chains);
  const bool has_draws = stopped.checkpoint.rows.draws > 0;
  Output output;
  output.files = std::make_unique<files::RunFiles>(plan, options, std::move(stopped), origin,
                                                   watchers(plan, a, output));
  if (has_draws && output.estimates != nullptr) {
    output.estimates->recall(output.files->paths().front());
  }
  return output;
}

std::string without_ending(std::string name) {
  for (const std::string_view ending : {".csv", ".nc"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) {
      name.resize(name.size() - ending.size());
    }
  }
  return name;
}

std::string list_files(const std::vector<std::string>& paths) {
  std::string text;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const bool csv = paths[i].ends_with(".csv");
    const bool inner = csv && i > 0 && paths[i - 1].ends_with(".csv");
    const bool last = i + 1 == paths.size();
    if (inner && !last) continue;
    text += (text.empty() ? "" : inner ? " to " : ", ") + paths[i];
  }
  return printable(text);
}

namespace {

/// $'...' of bash: for names that a terminal would take as orders.
std::string in_escapes(const std::string& text) {
  std::string quoted = "$'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else {
      quoted += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
  }
  return quoted + "'";
}

}  // namespace

std::string shell_word(const std::string& text) {
  if (printable(text) != text) return in_escapes(text);
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

std::string shell_line(const std::vector<std::string>& words) {
  std::string line = "gadwall";
  for (const std::string& word : words) line += " " + shell_word(word);
  return line;
}

}  // namespace gadwall::app
