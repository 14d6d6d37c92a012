// The table of experiments and the table of what can be asked for.
#include "reproduce/experiments.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "io/nearest_name.hpp"

namespace gadwall {
namespace {

using Change = std::function<void(Trial&)>;

constexpr Index kFewest = 20;  // iterations of a shortened warm-up, and draws

std::vector<Trial> trials_of(const std::vector<std::string>& names, const Change& change) {
  std::vector<Trial> trials;
  for (const std::string& name : names) {
    trials.push_back({find_method(name)});
    change(trials.back());
  }
  return trials;
}

void as_it_is(Trial&) {}

/// The released experiment used a diagonal AM here.
void on_neal(Trial& trial) {
  if (trial.method.name == "AM") trial.method.options.metric = Metric::diag;
}

void on_caravan(Trial& trial) {
  trial.expensive = trial.method.hamiltonian;
}

/// Only gadMALAf has the longer burn-in: the paper's times are 7.4 ms a gradient for NUTS, and
/// then 40,000 iterations for MALA and HMC.
void on_mnist(Trial& trial) {
  trial.expensive = trial.method.hamiltonian;
  if (trial.method.name != "gadMALAf") return;
  trial.method.warmup = 50000;
  trial.method.options.learning_rate = 1e-5;
}

/// Only what is learnt is shown, so few draws are made.
Experiment illustration(const std::string& name, const std::string& title,
                        const std::string& target, const std::string& method,
                        const Change& change) {
  const auto few_draws = [&](Trial& trial) {
    trial.method.draws = 1000;
    change(trial);
  };
  return {.name = name,
          .title = title,
          .built_in = target,
          .data_set = {},
          .trials = trials_of({method}, few_draws),
          .repeats = 1};
}

Experiment on_normal2(const std::string& name, double acceptance) {
  return illustration(name, "two normals with correlation 0.99", "gaussian2d", "gadRWM",
                      [acceptance](Trial& trial) {
                        trial.method.options.target_accept = acceptance;
                        trial.method.options.learning_rate = 5e-4;
                      });
}

Experiment on_process51() {
  return illustration("gp51", "51-dimensional Gaussian process", "gp51", "gadMALAf",
                      [](Trial& trial) {
                        trial.method.warmup = 200000;
                        trial.method.options.learning_rate = 1e-3;
                      });
}

Experiment on_data(const std::string& name, const Change& change) {
  const DataSet& set = find_data_set(name);
  return {.name = name,
          .title = set.title,
          .built_in = {},
          .data_set = name,
          .trials = trials_of(method_names(), change)};
}

Experiment mnist(const std::string& name, const std::string& title, Labels labels) {
  return {.name = name,
          .title = title,
          .built_in = {},
          .data_set = "mnist",
          .labels = labels,
          .trials = trials_of({"gadMALAf", "MALA", "HMC-5", "HMC-10", "HMC-20", "NUTS-unit",
                               "NUTS-diag", "NUTS-dense"},
                              on_mnist),
          .repeats = 5};
}

std::vector<Experiment> make_experiments() {
  return {
      {.name = "neal",
       .title = "Neal's Gaussian",
       .built_in = "neal100",
       .data_set = {},
       .trials = trials_of(method_names(), on_neal),
       .coordinate = 99},  // the widest, and the slowest
      on_data("caravan", on_caravan),
      on_data("australian", as_it_is),
      on_data("ripley", as_it_is),
      on_data("pima", as_it_is),
      on_data("heart", as_it_is),
      on_data("german", as_it_is),
      mnist("mnist", "MNIST \"5\" versus \"6\", true labels", Labels::true_classes),
      mnist("mnist-authors", "MNIST \"5\" versus \"6\", labelled as in the released script",
            Labels::authors),
      on_normal2("gaussian2d-25", 0.25),
      on_normal2("gaussian2d-40", 0.40),
      on_process51(),
  };
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
  for (Need& need : subject.needs) {
    if (need.experiment != "mnist") continue;
    need.experiment = "mnist-authors";
    if (subject.name.starts_with("mnist")) subject.name += "-authors";
  }
  return subject;
}

Trial shortened(Trial trial, double factor, Shortening shortening) {
  const auto shorten = [factor](Index length) {
    return std::max(std::min(length, kFewest),
                    static_cast<Index>(std::llround(factor * static_cast<double>(length))));
  };
  const bool keeps_warmup = trial.method.sampler == "nuts" && shortening == Shortening::comparable;
  if (!keeps_warmup) trial.method.warmup = shorten(trial.method.warmup);
  trial.method.draws = shorten(trial.method.draws);
  return trial;
}

}  // namespace gadwall
