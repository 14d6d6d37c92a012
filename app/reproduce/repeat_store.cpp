// Repeats as JSON files.
#include "reproduce/repeat_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "files/atomic_file.hpp"
#include "gadwall/error.hpp"

namespace gadwall::app::reproduce {
namespace {

namespace fs = std::filesystem;

/// JSON has no NaN; it is written as null.
double number(const report::Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

std::vector<double> numbers(const report::Json& json) {
  std::vector<double> values;
  for (const report::Json& value : json) values.push_back(number(value));
  return values;
}

report::Json pictures_json(const RepeatPictures& p) {
  return {{"iteration", p.iteration}, {"log_target", p.log_target},
          {"draw", p.draw},           {"coordinate", p.coordinate},
          {"diagonal", p.diagonal},   {"covariance", p.covariance},
          {"beta", p.beta},           {"beta_mean", p.beta_mean}};
}

RepeatPictures pictures_from(const report::Json& json) {
  return {.iteration = json.at("iteration"),
          .log_target = numbers(json.at("log_target")),
          .draw = json.at("draw"),
          .coordinate = numbers(json.at("coordinate")),
          .diagonal = numbers(json.at("diagonal")),
          .covariance = numbers(json.at("covariance")),
          .beta = number(json.at("beta")),
          .beta_mean = number(json.at("beta_mean"))};
}

}  // namespace

report::Json to_json(const Repeat& r) {
  return {{"experiment", r.name.experiment},
          {"method", r.name.method},
          {"repeat", r.name.number},
          {"settings", r.settings},
          {"scale", r.scale},
          {"warmup", r.warmup},
          {"draws", r.draws},
          {"seconds", r.seconds},
          {"wall_seconds", r.wall_seconds},
          {"acceptance", r.acceptance},
          {"ess", {{"min", r.ess.min}, {"median", r.ess.median}, {"max", r.ess.max}}},
          {"ess_worst", r.ess_worst},
          {"evaluations", r.evaluations},
          {"divergences", r.divergences},
          {"pictures", pictures_json(r.pictures)}};
}

Repeat repeat_from_json(const report::Json& json) {
  const report::Json& ess = json.at("ess");
  return {.name = {json.at("experiment"), json.at("method"), json.at("repeat")},
          .settings = json.at("settings"),
          .scale = json.at("scale"),
          .warmup = json.at("warmup"),
          .draws = json.at("draws"),
          .seconds = number(json.at("seconds")),
          .wall_seconds = number(json.at("wall_seconds")),
          .acceptance = number(json.at("acceptance")),
          .ess = {number(ess.at("min")), number(ess.at("median")), number(ess.at("max"))},
          .ess_worst = number(json.at("ess_worst")),
          .evaluations = number(json.at("evaluations")),
          .divergences = number(json.at("divergences")),
          .pictures = pictures_from(json.at("pictures"))};
}

fs::path RepeatStore::path(const RepeatName& name) const {
  return directory_ / name.experiment / fmt::format("{}-{:02}.json", name.method, name.number);
}

std::optional<Repeat> RepeatStore::find(const RepeatName& name) const {
  const fs::path file = path(name);
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return {};
  try {
    return repeat_from_json(report::Json::parse(files::read_whole_file(file.string())));
  } catch (const report::Json::exception&) {
    return {};  // damaged: it is run again, and replaced
  }
}

std::vector<Repeat> RepeatStore::find_all(const std::string& experiment,
                                          const std::string& method) const {
  std::vector<Repeat> repeats;
  std::error_code none_yet;
  for (const auto& entry : fs::directory_iterator(directory_ / experiment, none_yet)) {
    const std::string name = entry.path().stem().string();
    const std::size_t dash = name.rfind('-');
    if (entry.path().extension() != ".json" || name.substr(0, dash) != method) continue;
    const std::string digits = name.substr(dash + 1);
    if (digits.size() < 2 || digits.size() > 6) continue;
    if (digits.find_first_not_of("0123456789") != std::string::npos) continue;
    const RepeatName sought{experiment, method, std::stoi(digits)};
    if (sought.number < 1 || path(sought) != entry.path()) continue;  // a copy, as X-001.json
    if (auto repeat = find(sought)) repeats.push_back(std::move(*repeat));
  }
  std::ranges::sort(repeats, {}, [](const Repeat& repeat) { return repeat.name.number; });
  return repeats;
}

void RepeatStore::keep(const Repeat& repeat) const {
  const fs::path file = path(repeat.name);
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) {
    throw RunError(
        fmt::format("{}: cannot be made: {}", file.parent_path().string(), error.message()));
  }
  files::replace_file(file.string(), to_json(repeat).dump() + "\n");
}

std::string difference(const std::map<std::string, std::string>& found,
                       const std::map<std::string, std::string>& wanted) {
  for (const auto& [key, value] : wanted) {
    const auto entry = found.find(key);
    const std::string is = entry == found.end() ? "missing" : entry->second;
    if (is != value) return fmt::format("{} is '{}', expected '{}'", key, is, value);
  }
  return "";
}

}  // namespace gadwall::app::reproduce
