// The rows of the paper's tables.
#include "reproduce/methods.hpp"

#include <algorithm>

#include "gadwall/catalog.hpp"
#include "text/nearest_name.hpp"

namespace gadwall::app::reproduce {
namespace {

constexpr Index kLength = 20000;  // of burn-in and of sampling, in all experiments
constexpr Index kPaperNutsWarmup = 500;
constexpr Index kStanWarmup = 1000;  // the paper has no NUTS that learns a mass: Stan's length

Method plain(const std::string& name, const std::string& sampler) {
  return {.name = name, .sampler = sampler, .settings = {}, .warmup = kLength, .draws = kLength};
}

Method hmc(Index leapfrog) {
  Method method = plain("HMC-" + std::to_string(leapfrog), "hmc");
  method.settings["leapfrog"] = leapfrog;
  method.hamiltonian = true;
  return method;
}

Method nuts(Metric metric) {
  Method method = plain("NUTS-" + to_string(metric), "nuts");
  method.settings["metric"] = to_string(metric);
  method.hamiltonian = true;
  method.in_the_paper = metric == Metric::unit;
  method.warmup = method.in_the_paper ? kPaperNutsWarmup : kStanWarmup;
  return method;
}

std::vector<Method> make_methods() {
  return {plain("gadMALAf", "gadmala"),
          plain("gadMALAe", "gadmala-exact"),
          plain("gadRWM", "gadrwm"),
          plain("AM", "am"),
          plain("RWM", "rwm"),
          plain("MALA", "mala"),
          hmc(5),
          hmc(10),
          hmc(20),
          nuts(Metric::unit),
          nuts(Metric::diag),
          nuts(Metric::dense)};
}

Method beyond(const std::string& name, const std::string& sampler, Settings settings) {
  Method method = plain(name, sampler);
  method.settings = std::move(settings);
  method.in_the_paper = false;
  return method;
}

/// As many draws as the others have, of its sixteen chains together. Its warm-up ends by itself and
/// is not shortened.
Method automatic() {
  Method method = beyond("auto", "auto", {});
  method.chains = find_sampler("auto").chains;
  method.warmup = find_sampler("auto").warmup;
  method.draws = kLength / method.chains;
  return method;
}

std::vector<Method> make_beyond_methods() {
  return {plain("gadMALAf", "gadmala"),
          beyond("gadMALA-drift", "gadmala", {{"drift", "exact"}}),
          beyond("gadMALA-lowrank", "gadmala", {{"metric", "lowrank"}}),
          beyond("gadMALA-lowrank-drift", "gadmala", {{"metric", "lowrank"}, {"drift", "exact"}}),
          beyond("gadHMC", "gadhmc", {}),  // never shortened: it would not have learnt
          beyond("FisherMALA", "fishermala", {}),
          automatic(),
          hmc(5),
          hmc(10),
          hmc(20),
          nuts(Metric::diag),
          nuts(Metric::dense)};
}

}  // namespace

double Method::number(const std::string& setting) const {
  const OptionValue& value = settings.at(setting);
  const auto* whole = std::get_if<Index>(&value);
  return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
}

const std::vector<Method>& methods() {
  static const std::vector<Method> rows = make_methods();
  return rows;
}

const std::vector<Method>& beyond_methods() {
  static const std::vector<Method> rows = make_beyond_methods();
  return rows;
}

const Method& find_method(const std::string& name) {
  for (const auto* rows : {&methods(), &beyond_methods()}) {
    for (const Method& method : *rows) {
      if (method.name == name) return method;
    }
  }
  refuse_unknown("method", name, method_names());
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const auto* rows : {&methods(), &beyond_methods()}) {
    for (const Method& method : *rows) {
      if (std::ranges::count(names, method.name) == 0) names.push_back(method.name);
    }
  }
  return names;
}

}  // namespace gadwall::app::reproduce
