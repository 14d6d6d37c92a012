// What `sample` is told about its target.
#include "target_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "files/read_run.hpp"
#include "gadwall/error.hpp"
#include "messages.hpp"
#include "session/target_words.hpp"
#include "stan/program.hpp"
#include "text/option_names.hpp"

namespace gadwall::app {

void set_target(const std::string& text, RunArguments& a) {
  const bool is_program = text.ends_with(".stan") || text.ends_with(".so");
  a.target = is_program ? "stan" : text;
  if (is_program) a.target_options.model = text;
}

void add_target_options(CLI::App* parser, RunArguments& a) {
  parser->option_defaults()->group("Target");
  for (const TargetWord& word : target_words()) {
    const auto set = [&a, &word](const std::string& text) { word.set(a.target_options, text); };
    const std::string help = with_dashes(word.help);
    if (word.kind.empty()) {
      parser->add_flag_function(
          fmt::format("--{0},!--no-{0}", word.name),
          [set](std::int64_t given) { set(given > 0 ? "true" : "false"); }, help);
    } else {
      parser->add_option_function<std::string>("--" + word.name, set, help)->type_name(word.kind);
    }
  }
}

void check_target_options(const CLI::App& parser, const TargetRow& row) {
  std::map<std::string, std::vector<std::string>> users;
  for (const TargetRow& any : targets()) {
    for (const std::string& option : any.options) users[option].push_back(any.name);
  }
  for (const auto& [option, names] : users) {
    if (parser.count("--" + option) > 0 && std::ranges::count(row.options, option) == 0) {
      throw UsageError(fmt::format("--{} is not an option of target {}; it belongs to {}", option,
                                   row.name, fmt::join(names, ", ")));
    }
  }
  if (parser.count("--model") > 0 && parser.get_option("TARGET")->as<std::string>() != "stan") {
    throw UsageError("--model is given beside a program as TARGET, expected one of them");
  }
  if (parser.count("--scale") > 0 && parser.count("--standardise") > 0 &&
      parser.get_option("--standardise")->as<bool>()) {
    throw UsageError("--scale and --standardise exclude each other, expected one of them");
  }
}

std::string run_title(const RunArguments& a) {
  if (a.target != "stan") return a.target;
  return std::filesystem::path(a.target_options.model).stem().string();
}

namespace {

/// The files that a start or a tuning is read from: the file itself, those of a run that is given
/// by its name, or FILE_1.json, ... of the chains. None for a law.
std::vector<std::string> files_behind(const std::string& given) {
  std::error_code ignored;
  if (given.empty()) return {};
  if (std::filesystem::is_regular_file(given, ignored)) return {given};
  const std::string netcdf = files::netcdf_path(given);
  if (!netcdf.empty()) return {netcdf};
  const bool is_json = given.ends_with(".json");
  const std::string stem = is_json ? given.substr(0, given.size() - 5) : given;
  std::vector<std::string> found;
  for (int c = 1;; ++c) {
    const std::string file = fmt::format("{}_{}.{}", stem, c, is_json ? "json" : "csv");
    if (!std::filesystem::is_regular_file(file, ignored)) return found;
    found.push_back(file);
  }
}

}  // namespace

std::vector<std::string> input_files(const RunArguments& a) {
  std::vector<std::string> files;
  const TargetOptions& o = a.target_options;
  if (o.model.ends_with(".stan")) files = stan::read_stan_program(o.model).files();
  for (const std::string& file : {o.model, o.data, o.mean, o.covariance}) {
    if (!file.empty()) files.push_back(file);
  }
  for (const std::string& given : {a.start, a.tuning}) {
    for (const std::string& file : files_behind(given)) files.push_back(file);
  }
  return files;
}

std::map<std::string, std::string> target_settings(const CLI::App& parser, const TargetRow& row) {
  std::map<std::string, std::string> settings;
  for (const std::string& name : row.options) {
    const CLI::Option* option = parser.get_option_no_throw("--" + name);
    if (option != nullptr && option->count() > 0) {
      settings.emplace(name, fmt::format("{}", fmt::join(option->results(), " ")));
    }
  }
  const std::string given = parser.get_option("TARGET")->as<std::string>();
  if (row.name == "stan" && given != row.name) settings.emplace("model", given);
  return settings;
}

}  // namespace gadwall::app
