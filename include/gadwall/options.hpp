// Options of the parts of a sampler. A kernel, an adapter or a meeting has a small struct of its
// own, with its defaults, and names its fields once; the command line, the help, the files and
// other languages all read that.
//
//   struct LeapOptions {
//     Index steps = 10;  // the paper tries 5, 10 and 20
//
//     void describe(OptionFields& o) { o("steps", steps, "leapfrog steps", between(1, 1e6)); }
//   };
//
// In messages an option is named in backquotes, `lanes` or `metric=dense`: a program can put the
// words of its own interface in their place.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "gadwall/tuning.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

/// A number, a whole number, a word, a switch.
using OptionValue = std::variant<double, Index, std::string, bool>;

/// Values by the names of their options.
using Settings = std::map<std::string, OptionValue>;

/// The values that make sense.
struct OptionRange {
  double least = 0;
  double most = 1e300;  // no limit
  bool open = false;    // the ends themselves are excluded
};

constexpr OptionRange between(double least, double most) {
  return {least, most, false};
}
constexpr OptionRange inside(double least, double most) {
  return {least, most, true};
}
constexpr OptionRange above(double least) {
  return {least, 1e300, true};
}

/// An option as people know it.
struct OptionInfo {
  std::string name;  // words with hyphens: "target-accept"
  std::string help;
  OptionValue fallback;              // its default
  OptionRange range;                 // of a number
  std::vector<std::string> choices;  // of a word
};

/// Visits the fields of options: lists them, or fills them with what is given.
class OptionFields {
 public:
  OptionFields() = default;
  explicit OptionFields(const Settings& given) : given_(&given) {}

  void operator()(const char* name, double& field, const char* help, OptionRange range = {});
  void operator()(const char* name, Index& field, const char* help, OptionRange range = {});
  void operator()(const char* name, bool& field, const char* help);
  void operator()(const char* name, std::string& field, const char* help,
                  const std::vector<std::string>& choices);
  void operator()(const char* name, Metric& field, const char* help,
                  const std::vector<Metric>& choices);
  void operator()(const char* name, Integrator& field, const char* help);

  /// Those visited so far, in order; two parts may share one of the same name.
  const std::vector<OptionInfo>& infos() const { return infos_; }

 private:
  const OptionValue* take(OptionInfo info);

  const Settings* given_ = nullptr;
  std::vector<OptionInfo> infos_;
};

template <class Options>
std::vector<OptionInfo> list_options(Options options) {
  OptionFields fields;
  options.describe(fields);
  return fields.infos();
}

/// UsageError that names an option, its value and what is allowed.
template <class Options>
Options with_settings(Options options, const Settings& given) {
  OptionFields fields(given);
  options.describe(fields);
  return options;
}

/// Null where there is none.
const OptionInfo* find_option(const std::vector<OptionInfo>& options, const std::string& name);

/// A value of that option from text; UsageError where it is none.
OptionValue option_from_text(const OptionInfo& info, const std::string& text);

/// Shortest form.
std::string to_string(const OptionValue& value);

}  // namespace gadwall
