#include "run/file_groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "gadwall/error.hpp"

namespace gadwall {
namespace {

const std::string kPredictive = "posterior_predictive";
const std::string kLikelihood = "log_likelihood";
const std::string kObserved = "observed_data";
const std::string kConstant = "constant_data";

std::vector<std::string> all_groups() {
  return {kPredictive, kLikelihood, kObserved, kConstant};
}

/// Empty: the posterior.
std::string usual_group(const std::string& array) {
  if (array == "log_lik" || array == "log_likelihood") return kLikelihood;
  return array.ends_with("_rep") ? kPredictive : "";
}

/// Arrays of values that follow from the parameters.
std::set<std::string> derived_arrays(const Target& target) {
  const std::vector<std::string> names = target.output_names();
  std::set<std::string> arrays;
  for (auto i = static_cast<std::size_t>(target.parameters()); i < names.size(); ++i) {
    arrays.insert(array_of(names[i]));
  }
  return arrays;
}

std::set<std::string> data_arrays(const Target& target) {
  const TargetData data = target.data();
  std::set<std::string> arrays;
  for (const auto* part : {&data.constant, &data.observed}) {
    for (const NamedArray& array : *part) arrays.insert(array.name);
  }
  return arrays;
}

void require_array(const std::set<std::string>& known, const std::string& array,
                   const std::string& group, const std::string& kind) {
  if (known.contains(array)) return;
  throw UsageError(fmt::format(
      "`groups={}={}`: the target has no {} '{}', expected {}", group, array, kind, array,
      known.empty() ? "no such group: it has none" : fmt::format("{}", fmt::join(known, ", "))));
}

/// Moves the array where it is in `from`.
void move_array(const std::string& name, std::vector<NamedArray>& from,
                std::vector<NamedArray>& to) {
  const auto found = std::ranges::find(from, name, &NamedArray::name);
  if (found == from.end()) return;
  to.push_back(std::move(*found));
  from.erase(found);
}

}  // namespace

const std::vector<std::string>& value_groups() {
  static const std::vector<std::string> groups = {kPredictive, kLikelihood};
  return groups;
}

std::string array_of(const std::string& value) {
  return value.substr(0, value.find('.'));
}

FileGroups file_groups_from_text(const std::string& text) {
  FileGroups groups;
  if (text == "none") return groups;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) {
    const std::size_t equals = item.find('=');
    const std::string group = item.substr(0, equals);
    const bool is_whole = equals != item.npos && equals + 1 < item.size();
    if (!is_whole || std::ranges::count(all_groups(), group) == 0) {
      throw UsageError(fmt::format("`groups` is '{}', expected GROUP=NAME,... with {}; or none",
                                   text, fmt::join(all_groups(), ", ")));
    }
    groups[item.substr(equals + 1)] = group;
  }
  return groups;
}

std::string to_text(const FileGroups& groups) {
  std::vector<std::string> items;
  for (const auto& [array, group] : groups) items.push_back(group + "=" + array);
  return fmt::format("{}", fmt::join(items, ","));
}

void check_groups(const RunPlan& plan) {
  if (!plan.run.groups || plan.run.groups->empty()) return;
  const std::set<std::string> derived = derived_arrays(*plan.target);
  const std::set<std::string> data = data_arrays(*plan.target);
  for (const auto& [array, group] : *plan.run.groups) {
    if (std::ranges::count(value_groups(), group) > 0) {
      require_array(derived, array, group, "transformed or generated value");
    } else {
      require_array(data, array, group, "data");
    }
  }
}

FileGroups groups_of_values(const RunPlan& plan) {
  const std::set<std::string> derived = derived_arrays(*plan.target);
  FileGroups groups;
  bool leaves_some = false;
  for (const std::string& value : plan.output_names()) {
    const std::string array = array_of(value);
    std::string group = plan.run.groups ? "" : usual_group(array);
    if (plan.run.groups && plan.run.groups->contains(array)) group = plan.run.groups->at(array);
    if (!derived.contains(array) || std::ranges::count(value_groups(), group) == 0) {
      leaves_some = true;
    } else {
      groups[array] = group;
    }
  }
  return leaves_some ? groups : FileGroups{};
}

bool PlannedFacts::is_judged(const std::string& value) const {
  return groups.empty() || !groups.contains(array_of(value));
}

TargetData RunPlan::data() const {
  TargetData data = target->data();
  if (!run.groups) return data;
  for (const auto& [array, group] : *run.groups) {
    if (group == kObserved) move_array(array, data.constant, data.observed);
    if (group == kConstant) move_array(array, data.observed, data.constant);
  }
  return data;
}

}  // namespace gadwall
