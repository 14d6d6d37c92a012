// The table of experiments and the table of what can be asked for.
#include "reproduce/experiments.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "gadwall/catalog.hpp"
#include "text/nearest_name.hpp"

namespace gadwall::app::reproduce {
namespace {

using Change = std::function<void(Method&)>;

constexpr Index kFewest = 20;  // iterations of a shortened warm-up, and draws

std::vector<Method> changed(std::vector<Method> methods, const Change& change) {
  for (Method& method : methods) change(method);
  return methods;
}

std::vector<Method> methods_of(const std::vector<std::string>& names, const Change& change) {
  std::vector<Method> chosen;
  for (const std::string& name : names) chosen.push_back(find_method(name));
  return changed(std::move(chosen), change);
}

/// The released experiment used a diagonal AM here.
void on_neal(Method& method) {
  if (method.name == "AM") method.settings["metric"] = "diag";
}

/// Only gadMALAf has the longer burn-in: the paper's times are 7.4 ms per gradient for NUTS, and
/// then 40,000 iterations for MALA and HMC.
void on_mnist(Method& method) {
  if (method.name != "gadMALAf") return;
  method.warmup = 50000;
  method.settings["learning-rate"] = 1e-5;
}

/// Only what is learnt is shown, so few draws are made.
Experiment illustration(const std::string& name, const std::string& title,
                        const std::string& target, const std::string& method,
                        const Change& change) {
  const auto few_draws = [&](Method& shown) {
    shown.draws = 1000;
    change(shown);
  };
  return {.name = name,
          .title = title,
          .built_in = target,
          .data_set = {},
          .methods = methods_of({method}, few_draws),
          .repeats = 1};
}

Experiment on_normal2(const std::string& name, double acceptance) {
  return illustration(name, "two normals with correlation 0.99", "gaussian2d", "gadRWM",
                      [acceptance](Method& method) {
                        method.settings["target-accept"] = acceptance;
                        method.settings["learning-rate"] = 5e-4;
                      });
}

Experiment on_process51() {
  return illustration("gp51", "51-dimensional Gaussian process", "gp51", "gadMALAf",
                      [](Method& method) {
                        method.warmup = 200000;
                        method.settings["learning-rate"] = 1e-3;
                      });
}

Experiment on_data(const std::string& name, bool expensive = false) {
  return {.name = name,
          .title = find_data_set(name).title,
          .built_in = {},
          .data_set = name,
          .methods = methods(),
          .expensive = expensive};
}

Experiment mnist(const std::string& name, const std::string& title, Labels labels) {
  return {.name = name,
          .title = title,
          .built_in = {},
          .data_set = "mnist",
          .labels = labels,
          .methods = methods_of({"gadMALAf", "MALA", "HMC-5", "HMC-10", "HMC-20", "NUTS-unit",
                                 "NUTS-diag", "NUTS-dense"},
                                on_mnist),
          .expensive = true,
          .repeats = 5};
}

void beyond_on_caravan(Method& method) {
  if (method.hamiltonian) method.share = 0.1;
}

/// Rows that learn by the speed measure have the paper's numbers for this problem. A draw of NUTS
/// takes hundreds of gradients, with a dense mass a thousand, and its warm-up is not shortened.
void beyond_on_mnist(Method& method) {
  if (method.hamiltonian) method.share = method.sampler == "hmc" ? 0.1 : 0.02;
  if (method.name == "NUTS-dense") method.share = 0.005;
  if (method.hamiltonian || method.sampler == "gadhmc") method.repeats = 1;
  if (!find_sampler(method.sampler).has_option("learning-rate")) return;
  method.warmup = 50000;
  method.settings["learning-rate"] = 1e-5;
}

/// The same problem with the rows of `beyond`. The two expensive ones have fewer repeats, and HMC
/// and NUTS are shortened there, so that one command makes the page.
Experiment beyond(Experiment experiment) {
  Change change = [](Method&) {};
  if (experiment.name == "caravan") {
    experiment.repeats = 3;
    change = beyond_on_caravan;
  } else if (experiment.name == "mnist") {
    experiment.repeats = 2;
    change = beyond_on_mnist;
  }
  experiment.name = "beyond-" + experiment.name;
  experiment.methods = changed(beyond_methods(), change);
  experiment.coordinate = -1;
  experiment.beyond = true;
  return experiment;
}

std::vector<Experiment> paper_experiments() {
  return {
      {.name = "neal",
       .title = "Neal's Gaussian",
       .built_in = "neal100",
       .data_set = {},
       .methods = changed(methods(), on_neal),
       .coordinate = 99},  // the widest, and the slowest
      on_data("caravan", true),
      on_data("australian"),
      on_data("ripley"),
      on_data("pima"),
      on_data("heart"),
      on_data("german"),
      mnist("mnist", "MNIST \"5\" versus \"6\", true labels", Labels::true_classes),
      mnist("mnist-authors", "MNIST \"5\" versus \"6\", labelled as in the released script",
            Labels::authors),
      on_normal2("gaussian2d-25", 0.25),
      on_normal2("gaussian2d-40", 0.40),
      on_process51(),
  };
}

constexpr const char* kProblems[] = {"neal", "caravan", "australian", "ripley",
                                     "pima", "heart",   "german",     "mnist"};

std::vector<Experiment> make_experiments() {
  std::vector<Experiment> all = paper_experiments();
  for (const std::string name : kProblems) {
    all.push_back(beyond(*std::ranges::find(all, name, &Experiment::name)));
  }
  return all;
}

Subject beyond_subject() {
  Subject subject{"beyond", "what goes beyond the paper, on its eight problems", true, {}};
  for (const std::string name : kProblems) subject.needs.push_back({"beyond-" + name});
  return subject;
}

std::vector<Subject> make_subjects() {
  std::vector<Subject> rows = {
      {"table1", "Neal's Gaussian and Caravan", true, {{"neal"}, {"caravan"}}}};
  for (const char* name : {"australian", "ripley", "pima", "heart", "german", "mnist"}) {
    rows.push_back({name, "the table of " + find_experiment(name).title, true, {{name}}});
  }
  const bool first_only = false;
  rows.push_back({"figure1",
                  "2-d contours, target and learnt, at two acceptance rates; 51 x 51 covariance",
                  false,
                  {{"gaussian2d-25"}, {"gaussian2d-40"}, {"gp51"}}});
  rows.push_back({"figure2",
                  "traces of x_100 and diagonals of L on Neal's Gaussian",
                  false,
                  {{"neal", {"gadMALAf", "gadMALAe", "gadRWM", "AM", "HMC-20"}, first_only}}});
  rows.push_back({"traces",
                  "log target against iteration, every method: Neal, German, Caravan, MNIST",
                  false,
                  {{"neal", {}, first_only},
                   {"german", {}, first_only},
                   {"caravan", {}, first_only},
                   {"mnist", {}, first_only}}});
  rows.push_back({"mnist-diagonal",
                  "diagonal of L on MNIST as an image",
                  false,
                  {{"mnist", {"gadMALAf"}, first_only}}});
  rows.push_back(beyond_subject());
  return rows;
}

}  // namespace

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> rows = make_experiments();
  return rows;
}

const Experiment& find_experiment(const std::string& name) {
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments()) {
    if (experiment.name == name) return experiment;
    names.push_back(experiment.name);
  }
  refuse_unknown("experiment", name, names);
}

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> rows = make_subjects();
  return rows;
}

std::vector<Subject> find_subjects(const std::string& name) {
  if (name == "all") return subjects();
  std::vector<std::string> names;
  for (const Subject& subject : subjects()) {
    if (subject.name == name) return {subject};
    names.push_back(subject.name);
  }
  names.emplace_back("all");
  refuse_unknown("reproduction", name, names);
}

Subject with_authors_labels(Subject subject) {
  if (subject.name.starts_with("mnist")) subject.name += "-authors";
  for (Need& need : subject.needs) {
    if (need.experiment == "mnist") need.experiment = "mnist-authors";
  }
  return subject;
}

ShortenedMethod shortened(Method method, double factor, Shortening shortening) {
  const auto shorten = [factor](Index length) {
    return std::max(std::min(length, kFewest),
                    static_cast<Index>(std::llround(factor * static_cast<double>(length))));
  };
  const Index draws = shorten(method.draws);
  const double scale = static_cast<double>(draws) / static_cast<double>(method.draws);
  const SamplerRow& row = find_sampler(method.sampler);
  const bool has_windows =
      row.has_option("window-base") && used_settings(row, {}).at("metric") != "unit";
  const bool keeps_warmup = has_windows && shortening == Shortening::comparable;
  if (!keeps_warmup) method.warmup = shorten(method.warmup);
  method.draws = draws;
  return {std::move(method), scale, keeps_warmup ? scale : 1};
}

}  // namespace gadwall::app::reproduce
