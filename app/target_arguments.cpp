// What `sample` is told about its target.
#include "target_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "files/read_run.hpp"
#include "gadwall/error.hpp"
#include "numbers.hpp"
#include "stan/program.hpp"

namespace gadwall::app {
namespace {

constexpr std::uint64_t kMostDimension = 1'000'000;

void add_logistic_options(CLI::App* parser, RunArguments& a) {
  TargetOptions& o = a.target_options;
  parser->add_option("--data", o.data,
                     "logistic: table, CSV or whitespace-separated, plain or .gz; stan: JSON");
  parser->add_option("--label", o.label,
                     "logistic: column of the classes, a name or a position [y, or the last]");
  parser->add_option("--header", o.header,
                     "logistic: does the first line name the columns? auto, yes or no [auto]");
  parser->add_flag("--standardise,!--no-standardise", o.standardise,
                   "logistic: features to mean 0 and variance 1 [yes]");
  add_real(parser, "--scale", o.scale, positive_number,
           "logistic: divide the features by this instead");
  parser->add_flag("--bias,!--no-bias", o.bias, "logistic: a column of ones, last [yes]");
  parser->add_option("--constant-columns", a.constant_columns, "logistic: drop or refuse [drop]")
      ->check(CLI::IsMember({"drop", "refuse"}));
  add_real(parser, "--prior-sd", o.prior_sd, positive_number,
           "logistic: sd of the normal prior of every weight [1]");
}

}  // namespace

void set_target(const std::string& text, RunArguments& a) {
  const bool is_program = text.ends_with(".stan") || text.ends_with(".so");
  a.target = is_program ? "stan" : text;
  if (is_program) a.target_options.model = text;
}

void add_target_options(CLI::App* parser, RunArguments& a) {
  TargetOptions& o = a.target_options;
  parser->option_defaults()->group("Target");
  add_logistic_options(parser, a);
  parser->add_option("--model", o.model, "stan: the program, model.stan, or compiled, model.so");
  parser->add_option("--stan", o.stan,
                     "stan: directory of the BridgeStan or CmdStan that compiles the program "
                     "[looked for, see gadwall compile --help]");
  parser->add_option("--flags", o.flags, "stan: more flags for the C++ compiler, --flags='-O1 -g'");
  parser->add_option("--mean", o.mean, "gaussian: file of n numbers [zero]");
  parser->add_option("--covariance", o.covariance, "gaussian: file of n x n numbers");
  add_whole(parser, "--dim", o.dim, {2, kMostDimension}, "banana, funnel: dimension [2, 10]");
  add_real(parser, "--curvature", o.curvature, real_number, "banana [0.03]");
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
  if (o.model.ends_with(".stan")) files = stan::read_stan_program(o.model).files;
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
