// Which files a run writes.
#include "output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "files/csv_files.hpp"
#include "files/file_place.hpp"
#include "files/netcdf_run.hpp"
#include "files/read_run.hpp"
#include "gadwall/error.hpp"
#include "target_arguments.hpp"

namespace gadwall::app {
namespace {

namespace fs = std::filesystem;

bool is_run_taken(const std::string& name, Index chains) {
  for (Index c = 1; c <= chains; ++c) {
    if (files::is_taken(files::chain_path(name, c))) return true;
  }
  return files::is_taken(name + ".nc") || files::has_checkpoint(name) ||
         files::is_taken(name + ".lock");
}

std::string free_run_name(const std::string& name, Index chains) {
  std::string candidate = name;
  for (int i = 2; is_run_taken(candidate, chains); ++i) candidate = fmt::format("{}-{}", name, i);
  return candidate;
}

/// Files of an earlier run that this one would leave beside its own: other people's tools, which
/// take NAME_*.csv, and our own, which take NAME.nc first, would read a mixture.
void refuse_leftovers(const std::string& name, Index chains, Format format) {
  std::vector<std::string> others = {
      files::chain_path(name, format == Format::nc ? 1 : chains + 1)};
  if (format == Format::csv) others.push_back(name + ".nc");
  for (const std::string& file : others) {
    if (!files::is_taken(file)) continue;
    throw UsageError(
        fmt::format("{}: belongs to an earlier run with other files than this one; "
                    "remove it, or give another --out",
                    file));
  }
}

/// --force overwrites an old file of tuning, never the run itself or what it reads.
void check_tuning_place(const RunArguments& a, const std::string& name, Index chains) {
  if (a.save_tuning.empty()) return;
  std::vector<std::string> files = input_files(a);
  for (const char* ending : {".nc", ".lock", ".checkpoint", ".checkpoint.old"}) {
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

files::NetcdfSchema schema(const RunPlan& plan, const RunLabels& labels) {
  files::NetcdfSchema result;
  result.names = plan.output_names();
  result.facts = plan.facts();
  result.facts.target = labels.target;
  result.facts.target_settings = labels.target_settings;
  result.facts.command = labels.command;
  result.save_warmup = plan.run.save_warmup;
  result.data = plan.target->data();
  return result;
}

/// rows: null for a new run.
Output open_named(const RunPlan& plan, const RunArguments& a, const RunLabels& labels,
                  std::unique_ptr<files::RunLock> lock, const RowsKept* rows) {
  Output output;
  output.lock = std::move(lock);
  const std::string name = output.name = output.lock->run();
  check_tuning_place(a, name, plan.run.chains);
  std::vector<std::unique_ptr<files::DrawWriter>> writers;
  // A run that is to go on and has no row yet begins its files anew: they are its own.
  const bool has_rows = rows != nullptr && rows->draws + rows->warmup > 0;
  const bool overwrite = a.force || rows != nullptr;
  if (a.format != Format::csv) {
    const std::string path = name + ".nc";
    writers.push_back(
        has_rows ? std::make_unique<files::NetcdfRun>(path, schema(plan, labels), *rows)
                 : std::make_unique<files::NetcdfRun>(path, schema(plan, labels), overwrite));
  }
  if (a.format != Format::nc) {
    const files::CsvOptions csv{name, labels.target, a.significant_digits, overwrite};
    writers.push_back(has_rows ? std::make_unique<files::CsvFiles>(plan, csv, *rows)
                               : std::make_unique<files::CsvFiles>(plan, csv));
  }
  if (rows == nullptr) files::remove_checkpoints(name);  // of a run that is overwritten
  for (const auto& writer : writers) output.writers.push_back(writer.get());
  if (!a.quiet) {
    auto estimates = std::make_unique<LiveEstimates>(plan);
    output.estimates = estimates.get();
    writers.push_back(std::move(estimates));
  }
  const files::DrawWriter* first = output.writers.front();
  output.sink = std::make_unique<files::QueuedSink>(
      plan, std::move(writers), [first] { return files::read_run(first->paths()).draws; });
  return output;
}

/// A default name must never be in the way, even when two runs start at the same moment.
Output open_free(const RunPlan& plan, const RunArguments& a, const RunLabels& labels,
                 const std::string& base) {
  for (;;) {
    const std::string name = free_run_name(base, plan.run.chains);
    try {
      return open_named(plan, a, labels, std::make_unique<files::RunLock>(name), nullptr);
    } catch (const UsageError&) {
      if (free_run_name(base, plan.run.chains) == name) throw;
    }
  }
}

}  // namespace

Output open_output(const RunPlan& plan, const RunArguments& a, const RunLabels& labels) {
  const std::string standard = run_title(a) + "-" + plan.sampler->name;
  std::string name = a.out.value_or(standard);
  if (name.empty()) throw UsageError("--out is '', expected a name for the files");
  std::error_code ignored;
  const bool directory = a.out && (name.ends_with('/') || fs::is_directory(name, ignored));
  if (directory) name = (fs::path(name) / standard).string();
  for (const std::string_view ending : {".csv", ".nc"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) {
      name.resize(name.size() - ending.size());
    }
  }
  if ((directory || !a.out) && !a.force) return open_free(plan, a, labels, name);
  if (!a.force && files::has_checkpoint(name)) {
    throw UsageError(
        fmt::format("{}: the file exists; gadwall resume {} goes on with that run, "
                    "--force overwrites it",
                    files::checkpoint_path(name), shell_word(name)));
  }
  refuse_leftovers(name, plan.run.chains, a.format);
  return open_named(plan, a, labels, std::make_unique<files::RunLock>(name), nullptr);
}

Output reopen_output(const RunPlan& plan, const RunArguments& a, const RunLabels& labels,
                     std::unique_ptr<files::RunLock> lock, const RowsKept& rows) {
  return open_named(plan, a, labels, std::move(lock), &rows);
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
