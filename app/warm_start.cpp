#include "warm_start.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "files/atomic_file.hpp"
#include "files/read_run.hpp"
#include "gadwall/error.hpp"
#include "gadwall/options.hpp"
#include "numbers.hpp"
#include "stan/bridge/json_data.hpp"
#include "stan/json_file.hpp"

namespace gadwall::app {
namespace {

using Json = nlohmann::json;

Factor pooled_factor(const std::vector<Learnt>& learnt) {
  const Factor& first = learnt.front().tuning.factor();
  const auto count = static_cast<double>(learnt.size());
  if (first.kind() == Metric::unit) return first;
  if (first.kind() == Metric::diag) {
    Vector variances = Vector::Zero(first.dim());
    for (const Learnt& one : learnt) variances += one.tuning.factor().covariance_diagonal() / count;
    return Factor::diagonal(variances.cwiseSqrt());
  }
  Matrix covariance = Matrix::Zero(first.dim(), first.dim());
  for (const Learnt& one : learnt) covariance += one.tuning.factor().covariance() / count;
  return Factor::dense(covariance.llt().matrixL());
}

Json rows_of(const Matrix& lower) {
  Json rows = Json::array();
  for (Index i = 0; i < lower.rows(); ++i) {
    const Vector row = lower.row(i).head(i + 1);
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return rows;
}

Matrix lower_from(const Json& rows) {
  const auto n = static_cast<Index>(rows.size());
  Matrix lower = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    const std::vector<double> row = rows.at(static_cast<std::size_t>(i));
    if (static_cast<Index>(row.size()) != i + 1) throw UsageError("L is not a lower triangle");
    for (Index j = 0; j <= i; ++j) lower(i, j) = row[static_cast<std::size_t>(j)];
  }
  return lower;
}

Factor factor_from(const Json& json) {
  const Metric metric = metric_from_string(json.at("metric"));
  if (metric == Metric::unit) return Factor::unit(json.at("dim"));
  if (metric == Metric::dense) return Factor::dense(lower_from(json.at("L")));
  const std::vector<double> entries = json.at("L");
  return Factor::diagonal(
      Eigen::Map<const Vector>(entries.data(), static_cast<Index>(entries.size())));
}

void check(const WarmStart& start) {
  const Vector diagonal = start.tuning.factor().diagonal();
  if (!(start.tuning.step > 0) || !std::isfinite(start.tuning.step) || diagonal.size() == 0 ||
      !(diagonal.minCoeff() > 0) || !start.tuning.factor().matrix().allFinite()) {
    throw UsageError("the step and the diagonal of L must be positive");
  }
}

WarmStart parse_tuning(const std::string& path) {
  try {
    const Json json = Json::parse(files::read_whole_file(path));
    const Json& beta = json.at("beta");
    WarmStart start{Tuning(factor_from(json), json.at("step")),
                    beta.is_null() ? std::numeric_limits<double>::quiet_NaN() : double(beta)};
    check(start);
    return start;
  } catch (const Json::exception&) {
    throw UsageError(
        fmt::format("--tuning {}: expected a file of --save-tuning: JSON with metric, "
                    "dim, step, beta and L",
                    path));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--tuning {}: {}", path, error.what()));
  }
}

/// The point whose parameters have the values in a file of Stan's JSON.
Vector point_from_json(const std::string& path, const Target& target) {
  std::vector<std::string> names;
  std::vector<double> values;
  const std::string text = stan::read_stan_json(path);
  try {
    for (const auto& [name, variable] : gadwall_stan::JsonReader(text).read()) {
      for (const std::string& element : gadwall_stan::element_names(name, variable)) {
        names.push_back(element);
      }
      values.insert(values.end(), variable.values.begin(), variable.values.end());
    }
    return target.coordinates(
        names, Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size())));
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("--start {}: {}", path, error.what()));
  }
}

/// start.json, else start_1.json for the first chain.
std::string file_of_chain(const std::string& path, Index chain) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return path;
  const std::string stem = path.substr(0, path.size() - std::string_view(".json").size());
  const std::string own = fmt::format("{}_{}.json", stem, chain + 1);
  if (std::filesystem::exists(own, ignored)) return own;
  throw UsageError(fmt::format("--start {}: there is no such file, nor one for chain {} alone, {}",
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

StartPart read_start(const std::string& text, const Target& target, Index chains) {
  const bool is_number = text.find_first_not_of("+-.eE0123456789") == std::string::npos &&
                         text.find_first_of("0123456789") != std::string::npos;
  if (is_number) return uniform_start(real_number("--start", text));
  if (text.ends_with(".json")) return given_start(points_from_json(text, target, chains));
  const std::string law = text.substr(0, text.find_first_of(":+"));
  if (law == "normal" || law == "uniform") return start_from_text(text);
  return given_start(last_draws(text, target, chains));
}

Matrix last_draws(const std::string& run, const Target& target, Index chains) {
  const Draws draws = files::read_run({run}).draws;
  const auto available = static_cast<Index>(draws.chains.size());
  const Index rounds = (chains + available - 1) / std::max<Index>(1, available);
  if (available == 0 || draws.draws() < rounds) {
    throw UsageError(
        fmt::format("--start {}: has {} draws of each of {} chains, expected enough to "
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
      throw UsageError(fmt::format("--start {}: {}", run, error.what()));
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
    beta += one.beta / count;
  }
  return {Tuning(pooled_factor(learnt), std::exp(log_step)), beta};
}

WarmStart read_tuning(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored) && !path.ends_with(".nc")) {
    return parse_tuning(path);
  }
  const Draws draws = files::read_run({path}).draws;
  if (draws.learnt.empty()) {
    throw UsageError(
        fmt::format("--tuning {}: the run does not hold what was learnt, expected a "
                    "finished NetCDF file or one of --save-tuning",
                    path));
  }
  return pool(draws.learnt);
}

void write_tuning(const std::string& path, const WarmStart& start) {
  const Factor& factor = start.tuning.factor();
  Json json = {{"metric", to_string(factor.kind())},
               {"dim", factor.dim()},
               {"step", start.tuning.step},
               {"beta", std::isfinite(start.beta) ? Json(start.beta) : Json()}};
  if (factor.kind() == Metric::diag) {
    const Vector diagonal = factor.diagonal();
    json["L"] = std::vector<double>(diagonal.begin(), diagonal.end());
  } else if (factor.kind() == Metric::dense) {
    json["L"] = rows_of(factor.lower());
  }
  files::replace_file(path, json.dump(1) + "\n");
}

}  // namespace gadwall::app
