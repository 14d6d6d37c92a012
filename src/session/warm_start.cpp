#include "session/warm_start.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "factors/pool.hpp"
#include "files/atomic_file.hpp"
#include "files/read_run.hpp"
#include "gadwall/error.hpp"
#include "gadwall/host.hpp"
#include "gadwall/options.hpp"
#include "session/numbers.hpp"
#include "session/tuning_json.hpp"
#include "stan/bridge/json_data.hpp"
#include "stan/json_file.hpp"
#include "text/utf8.hpp"

namespace gadwall::session {
namespace {

using Json = nlohmann::json;

Factor pooled_factor(const std::vector<Learnt>& learnt) {
  std::vector<Factor> factors;
  for (const Learnt& one : learnt) factors.push_back(one.tuning.factor());
  return pooled(factors);
}

TrajectoryPlan trajectory_from(const Json& json) {
  return trajectory_plan(json.at("integrator"), json.at("most_steps"),
                         json.value("persistence", 0.0), json.value("trajectories_per_draw", 1.0));
}

void say_what_warns_of(const std::string& run) {
  for (const std::string& warning : files::warnings_of(run)) say(MessageKind::warning, warning);
}

std::string from_root(const std::string& run) {
  return as_utf8(std::filesystem::weakly_canonical(std::filesystem::absolute(run)).string());
}

WarmStart parse_tuning(const std::string& path) {
  try {
    const Json json = Json::parse(files::read_whole_file(path));
    const Json& beta = json.at("beta");
    WarmStart start{Tuning(factor_from(json), json.at("step")),
                    beta.is_null() ? std::numeric_limits<double>::quiet_NaN() : double(beta),
                    json.value("target", "")};
    if (json.contains("integrator")) start.tuning.trajectory = trajectory_from(json);
    if (json.contains("warp")) {
      start.tuning.warp =
          std::make_shared<const Warp>(warp_from(json.at("warp"), start.tuning.factor().dim()));
    }
    if (!beta.is_null() && !(start.beta > 0 && start.beta < 1e300)) {
      throw UsageError(
          fmt::format("beta is {}, expected a positive number below 1e300, or null", start.beta));
    }
    if (!(start.tuning.step > 0) || !std::isfinite(start.tuning.step)) {
      throw UsageError(fmt::format("step is {}, expected a positive number", start.tuning.step));
    }
    return start;
  } catch (const Json::exception&) {
    throw UsageError(
        fmt::format("`tuning={}`: expected a file of `save-tuning`: JSON with metric, "
                    "dim, step, beta and L (lowrank: scales, directions and eigenvalues)",
                    path));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("`tuning={}`: {}", path, error.what()));
  }
}

/// The point whose parameters have the values in a file of Stan's JSON.
Vector point_from_json(const std::string& path, const Target& target) {
  const std::string text = stan::read_stan_json(path);
  try {
    return point_from_text(text, target);
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("`start={}`: {}", path, error.what()));
  }
}

/// start.json, else start_1.json for the first chain.
std::string file_of_chain(const std::string& path, Index chain) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return path;
  const std::string stem = path.substr(0, path.size() - std::string_view(".json").size());
  const std::string own = fmt::format("{}_{}.json", stem, chain + 1);
  if (std::filesystem::exists(own, ignored)) return own;
  throw UsageError(fmt::format("`start={}`: there is no such file, nor one for chain {} alone, {}",
                               path, chain + 1, own));
}

Matrix points_from_json(const std::string& path, const Target& target, Index chains) {
  Matrix starts(target.dim(), chains);
  for (Index c = 0; c < chains; ++c) {
    starts.col(c) = point_from_json(file_of_chain(path, c), target);
  }
  return starts;
}

}  // namespace

Vector point_from_text(const std::string& text, const Target& target) {
  std::vector<std::string> names;
  std::vector<double> values;
  for (const auto& [name, variable] : gadwall_stan::JsonReader(text).read()) {
    for (const std::string& element : gadwall_stan::element_names(name, variable)) {
      names.push_back(element);
    }
    values.insert(values.end(), variable.values.begin(), variable.values.end());
  }
  return target.coordinates(
      names, Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size())));
}

StartPart read_start(const std::string& text, const Target& target, const RunOptions& run) {
  const Index chains = run.chains;
  const Index first = run.chain_offset;
  const bool is_number = text.find_first_not_of("+-.eE0123456789") == std::string::npos &&
                         text.find_first_of("0123456789") != std::string::npos;
  if (is_number) return uniform_start(real_number("`start`", text));
  if (text.ends_with(".json")) return given_start(points_from_json(text, target, chains), first);
  const std::string law = text.substr(0, text.find_first_of(":+"));
  if (law == "normal" || law == "uniform") return start_from_text(text);
  return given_start(last_draws(text, target, chains), first);
}

Matrix last_draws(const std::string& run, const Target& target, Index chains) {
  say_what_warns_of(run);
  const Draws draws = files::read_run({run}).draws;
  const auto available = static_cast<Index>(draws.chains.size());
  const Index rounds = (chains + available - 1) / std::max<Index>(1, available);
  if (available == 0 || draws.draws() < rounds) {
    throw UsageError(
        fmt::format("`start={}`: has {} draws of each of {} chains, expected enough to "
                    "start {} chains",
                    run, draws.draws(), available, chains));
  }
  Matrix starts(target.dim(), chains);
  for (Index c = 0; c < chains; ++c) {
    const Index row = draws.draws() - 1 - (c / available) * (draws.draws() / rounds);
    const Chain& chain = draws.chains[static_cast<std::size_t>(c % available)];
    try {
      starts.col(c) = target.coordinates(draws.names, chain.draws.row(row).transpose());
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("`start={}`: {}", run, error.what()));
    }
  }
  return starts;
}

WarmStart pool(const std::vector<Learnt>& learnt) {
  double log_step = 0;
  double beta = 0;
  const auto count = static_cast<double>(learnt.size());
  for (const Learnt& one : learnt) {
    log_step += std::log(one.tuning.step) / count;
    beta += one.number("beta") / count;
  }
  WarmStart start{Tuning(pooled_factor(learnt), std::exp(log_step)), beta};
  start.tuning.trajectory = learnt.front().tuning.trajectory;
  start.tuning.warp = learnt.front().tuning.warp;
  return start;
}

WarmStart read_tuning(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored) && !path.ends_with(".nc")) {
    return parse_tuning(path);
  }
  say_what_warns_of(path);
  const files::ReadResult read = files::read_run({path});
  if (read.draws.learnt.empty()) {
    throw UsageError(
        fmt::format("`tuning={}`: the run does not hold what was learnt, expected a "
                    "finished NetCDF file or one of `save-tuning`{}{}",
                    path, read.warnings.empty() ? "" : "; ", fmt::join(read.warnings, "; ")));
  }
  WarmStart start = pool(read.draws.learnt);
  start.target = read.draws.facts.target;
  return start;
}

void write_tuning(const std::string& path, const WarmStart& start, const std::string& run) {
  Json json = {{"step", start.tuning.step},
               {"beta", std::isfinite(start.beta) ? Json(start.beta) : Json()},
               {"target", as_utf8(start.target)}};
  if (!run.empty()) json["run"] = from_root(run);
  if (start.tuning.trajectory) {
    json["integrator"] = to_string(start.tuning.trajectory->integrator);
    json["most_steps"] = start.tuning.trajectory->most_steps;
    json["persistence"] = start.tuning.trajectory->persistence;
    json["trajectories_per_draw"] = start.tuning.trajectory->per_draw;
  }
  add_factor(start.tuning.factor(), json);
  if (start.tuning.warp) add_warp(*start.tuning.warp, json);
  files::replace_file(path, json.dump(1) + "\n");
}

bool is_tuning_of(const std::string& path, const std::string& run) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  const Json json = Json::parse(files::read_whole_file(path), nullptr, false);
  const auto found = json.is_object() ? json.find("run") : json.end();
  return found != json.end() && *found == from_root(run);
}

}  // namespace gadwall::session
