// Every built-in target, one row each.
#include "gadwall/targets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/matrix_file.hpp"
#include "gadwall/error.hpp"
#include "stan/compile.hpp"
#include "stan/json_file.hpp"
#include "stan/program.hpp"
#include "stan/program_text.hpp"
#include "stan/target.hpp"
#include "targets/banana.hpp"
#include "targets/funnel.hpp"
#include "targets/gaussian.hpp"
#include "targets/logistic/classification_data.hpp"
#include "targets/logistic/logistic.hpp"
#include "text/nearest_name.hpp"
#include "text/number_text.hpp"

namespace gadwall {
namespace {

files::HeaderLine header_from(const std::string& word) {
  if (word == "auto") return files::HeaderLine::automatic;
  if (word == "yes") return files::HeaderLine::yes;
  if (word == "no") return files::HeaderLine::no;
  throw UsageError(fmt::format("`header` is '{}', expected auto, yes or no", word));
}

/// "logistic regression on 1,000 rows of german.csv: 24 columns, standardised, and a bias; ..."
std::string logistic_statement(const TargetOptions& o, const ClassificationData& data,
                               const std::string& source) {
  const auto columns = static_cast<std::uint64_t>(data.x.cols() - (o.bias ? 1 : 0));
  const bool standardised = !data.sd.empty();
  const std::string scale = standardised  ? "standardised"
                            : o.scale > 0 ? fmt::format("divided by {}", o.scale)
                                          : "as they are";
  return fmt::format(
      "logistic regression on {} of {}: {}, {}{}; weights ~ normal(0, {}); class 1 is {}, class 0 "
      "{}{}",
      counted(static_cast<std::uint64_t>(data.x.rows()), "row"), source, counted(columns, "column"),
      scale, o.bias ? ", and a bias" : "", o.prior_sd, files::shown(data.class1),
      files::shown(data.class0), o.raw ? "; coefficients in the units of the columns" : "");
}

/// The prior stays on the weights that are sampled; what is kept has the units of the columns.
void set_units(const TargetOptions& o, const ClassificationData& data, LogisticTable& table) {
  const Index features = data.x.cols() - (o.bias ? 1 : 0);
  table.unit = Vector::Constant(features, o.scale > 0 ? o.scale : 1.0);
  table.mean = Vector::Zero(features);
  if (data.sd.empty()) return;
  if (!o.bias) {
    throw UsageError(
        "`raw` with standardised columns needs a bias, which takes up their means; expected "
        "`bias`, or "
        "columns as they are");
  }
  table.unit = Eigen::Map<const Vector>(data.sd.data(), features);
  table.mean = Eigen::Map<const Vector>(data.mean.data(), features);
}

ClassificationOptions classification_options(const TargetOptions& o) {
  if (!(o.scale >= 0)) {
    throw UsageError(fmt::format("`scale` is {}, expected a number above 0", o.scale));
  }
  if (!(o.prior_sd > 0)) {
    throw UsageError(fmt::format("`prior-sd` is {}, expected a number above 0", o.prior_sd));
  }
  ClassificationOptions options;
  if (!o.label.empty()) options.label = o.label;
  options.standardise = o.standardise && o.scale == 0;
  options.scale = o.scale;
  options.bias = o.bias;
  options.constant_columns =
      o.drop_constant ? ClassificationOptions::drop : ClassificationOptions::refuse;
  options.header = header_from(o.header);
  return options;
}

BuiltTarget logistic_of(ClassificationData data, const TargetOptions& o,
                        const std::string& source) {
  LogisticTable table;
  table.statement = logistic_statement(o, data, source);
  if (o.raw) set_units(o, data, table);
  const auto features = static_cast<Index>(data.sd.size());
  if (features > 0) {  // what turns a weight back to the units of the table
    table.scaling = {{"feature_mean", {features}, std::move(data.mean)},
                     {"feature_sd", {features}, std::move(data.sd)}};
  }
  return {std::make_shared<Logistic>(data.x, data.y, o.prior_sd, std::move(data.names),
                                     std::move(table)),
          std::move(data.warnings)};
}

BuiltTarget make_logistic(const TargetOptions& o) {
  if (o.data.empty()) throw UsageError("target logistic needs a table: `data=FILE`");
  return logistic_of(load_classification(o.data, classification_options(o)), o, o.data);
}

BuiltTarget make_gaussian(const TargetOptions& o) {
  if (o.covariance.empty()) throw UsageError("target gaussian needs `covariance=FILE`");
  const Matrix covariance = files::read_matrix(o.covariance);
  const Index n = covariance.rows();
  if (covariance.cols() != n) {
    throw UsageError(fmt::format("{}: {} rows of {} numbers, expected as many rows as columns",
                                 o.covariance, n, covariance.cols()));
  }
  Vector mean = o.mean.empty() ? Vector::Zero(n) : files::read_vector(o.mean);
  if (mean.size() != n) {
    throw UsageError(fmt::format("{}: a mean of {} numbers, expected {} as {} is {} x {}", o.mean,
                                 mean.size(), n, o.covariance, n, n));
  }
  try {
    return {std::make_shared<Gaussian>(std::move(mean), covariance), {}};
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", o.covariance, error.what()));
  }
}

std::string library_of(const TargetOptions& o) {
  if (o.model.ends_with(".stan")) {
    return stan::compile_stan(o.model,
                              {.stan = o.stan, .flags = o.flags, .stanc_flags = o.stanc_flags})
        .library;
  }
  if (!o.stan.empty() || !o.flags.empty() || !o.stanc_flags.empty()) {
    throw UsageError(
        fmt::format("`stan`, `flags` and `stanc-flags` are for a program that is compiled, "
                    "FILE.stan; {} is not one",
                    o.model));
  }
  return o.model;
}

BuiltTarget make_stan(const TargetOptions& o) {
  if (o.model.empty()) {
    throw UsageError("target stan needs a program: `model=FILE.stan`, or compiled, FILE.so");
  }
  const bool is_text = o.data.starts_with('{');
  const std::string data = o.data.empty() || is_text ? o.data : stan::read_stan_json(o.data);
  if (o.data.empty() && o.model.ends_with(".stan") &&
      stan::has_data(stan::read_stan_program(o.model).text)) {
    throw UsageError(
        fmt::format("{}: the program has a data block and there is no data, expected `data=FILE` "
                    "with Stan's JSON",
                    o.model));
  }
  const std::string library = library_of(o);
  const auto seed = static_cast<unsigned int>(o.seed ^ (o.seed >> 32));
  try {
    const auto target = std::make_shared<stan::StanTarget>(library, data, seed);
    BuiltTarget built{target, {}};
    if (!target->model().sums_in_order()) {
      built.warnings.push_back(fmt::format(
          "{}: uses reduce_sum, whose sums BridgeStan's libraries split by load: the same seed may "
          "give other draws (a library that CmdStan makes, `stan`, keeps them)",
          o.model));
    }
    if (!target->has_threads() && !o.one_thread) {
      built.warnings.push_back(
          fmt::format("{}: compiled without STAN_THREADS, so the threads take turns", o.model));
    }
    return built;
  } catch (const UsageError& error) {
    const std::string message = error.what();
    if (o.data.empty() && message.find("data initialization") != std::string::npos) {
      throw UsageError(
          fmt::format("{}: the program needs data, expected `data=FILE` with Stan's JSON; it says: "
                      "{}",
                      o.model, message));
    }
    const std::string with = o.data.empty() || is_text ? "" : " with " + o.data;
    throw UsageError(fmt::format("{}{}: {}", o.model, with, message));
  }
}

std::vector<TargetRow> make_rows() {
  const auto plain = [](auto make) {
    return [make](const TargetOptions&) { return BuiltTarget{make(), {}}; };
  };
  return {
      {"gaussian2d", "two normals with correlation 0.99", {}, plain(gaussian2d)},
      {"gp51", "a Gaussian process on a grid of 51 points", {}, plain(gp51)},
      {"neal100", "100 independent normals with sds 0.01, 0.02, ..., 1", {}, plain(neal100)},
      {"gaussian",
       "a normal with covariance (and mean) from files",
       {"mean", "covariance"},
       make_gaussian},
      {"banana",
       "a curved ridge in two or more dimensions",
       {"dim", "curvature"},
       [](const TargetOptions& o) {
         return BuiltTarget{std::make_shared<Banana>(o.dim > 0 ? o.dim : 2, o.curvature), {}};
       }},
      {"funnel",
       "Neal's funnel: a scale and what it scales",
       {"dim"},
       [](const TargetOptions& o) {
         return BuiltTarget{std::make_shared<Funnel>(o.dim > 0 ? o.dim : 10), {}};
       }},
      {"logistic",
       "Bayesian logistic regression on a table",
       {"data", "label", "header", "standardise", "scale", "bias", "constant-columns", "prior-sd",
        "raw"},
       make_logistic},
      {"stan",
       "a Stan program: TARGET may also be the file, model.stan or model.so",
       {"model", "data", "stan", "flags", "stanc-flags"},
       make_stan},
  };
}

}  // namespace

BuiltTarget logistic_regression(Matrix x, Vector y, std::vector<std::string> names,
                                const TargetOptions& options) {
  return logistic_of(make_classification(std::move(x), std::move(y), std::move(names),
                                         classification_options(options)),
                     options, "X");
}

const std::vector<TargetRow>& targets() {
  static const std::vector<TargetRow> rows = make_rows();
  return rows;
}

const TargetRow& find_target(const std::string& name) {
  std::vector<std::string> names;
  for (const TargetRow& row : targets()) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  refuse_unknown("target", name, names);
}

}  // namespace gadwall
