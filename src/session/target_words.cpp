#include "session/target_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gadwall/error.hpp"
#include "session/numbers.hpp"
#include "session/run_request.hpp"
#include "text/nearest_name.hpp"

namespace gadwall::session {
namespace {

constexpr std::uint64_t kMostDimension = 1'000'000;

TargetWord text(const std::string& name, const std::string& kind, std::string TargetOptions::*field,
                const std::string& help) {
  return {name, kind, help,
          [field](TargetOptions& o, const std::string& value) { o.*field = value; }};
}

TargetWord real(const std::string& name, double TargetOptions::*field,
                double (*read)(const std::string&, const std::string&), const std::string& help) {
  return {name, "X", help, [=](TargetOptions& o, const std::string& value) {
            o.*field = read("`" + name + "`", value);
          }};
}

TargetWord on_or_off(const std::string& name, bool TargetOptions::*field, const std::string& help) {
  return {name, "", help, [=](TargetOptions& o, const std::string& value) {
            o.*field = switch_from_text("`" + name + "`", value);
          }};
}

void set_constant_columns(TargetOptions& o, const std::string& value) {
  if (value != "drop" && value != "refuse") {
    throw UsageError(fmt::format("`constant-columns` is '{}', expected drop or refuse", value));
  }
  o.drop_constant = value == "drop";
}

void set_dimension(TargetOptions& o, const std::string& value) {
  o.dim = static_cast<Index>(whole_number("`dim`", value, {2, kMostDimension}));
}

}  // namespace

const std::vector<TargetWord>& target_words() {
  using O = TargetOptions;
  static const std::vector<TargetWord> table = {
      text("data", "FILE", &O::data,
           "logistic: table, CSV or whitespace-separated, plain or .gz; stan: JSON"),
      text("label", "COLUMN", &O::label,
           "logistic: column of the classes, a name or a position [y, or the last]"),
      text("header", "auto|yes|no", &O::header,
           "logistic: does the first line name the columns? auto, yes or no [auto]"),
      on_or_off("standardise", &O::standardise,
                "logistic: features to mean 0 and variance 1 [yes]"),
      real("scale", &O::scale, positive_number, "logistic: divide the features by this instead"),
      on_or_off("bias", &O::bias, "logistic: a column of ones, last [yes]"),
      {"constant-columns", "drop|refuse", "logistic: drop or refuse [drop]", set_constant_columns},
      real("prior-sd", &O::prior_sd, positive_number,
           "logistic: sd of the normal prior of every weight [1]"),
      on_or_off("raw", &O::raw,
                "logistic: keep coefficients in the units of the columns, whatever was done to "
                "these; the prior is of the weights that are sampled [no]"),
      text("model", "FILE", &O::model, "stan: the program, model.stan, or compiled, model.so"),
      text("stan", "DIR", &O::stan,
           "stan: directory of the BridgeStan or CmdStan that compiles the program [looked for, "
           "as docs/stan.md says]"),
      text("flags", "FLAGS", &O::flags, "stan: more flags for the C++ compiler, `flags='-O1 -g'`"),
      text("stanc-flags", "FLAGS", &O::stanc_flags,
           "stan: more flags for Stan's compiler, `stanc-flags=--O1`"),
      text("mean", "FILE", &O::mean, "gaussian: file of n numbers [zero]"),
      text("covariance", "FILE", &O::covariance, "gaussian: file of n x n numbers"),
      {"dim", "N", "banana, funnel: dimension [2, 10]", set_dimension},
      real("curvature", &O::curvature, real_number, "banana [0.03]"),
  };
  return table;
}

void set_target_word(const TargetRow& row, TargetOptions& options, const std::string& name,
                     const std::string& value) {
  if (std::ranges::count(row.options, name) == 0) {
    refuse_unknown("option of target " + row.name, name, row.options);
  }
  std::ranges::find(target_words(), name, &TargetWord::name)->set(options, value);
}

}  // namespace gadwall::session
