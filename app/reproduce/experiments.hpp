// The experiments of the paper: a target, the methods that are run on it, their lengths.
#pragma once

#include <string>
#include <vector>

#include "reproduce/data_sets.hpp"
#include "reproduce/methods.hpp"

namespace gadwall::app::reproduce {

struct Experiment {
  std::string name;  // of tables and files
  std::string title;
  std::string built_in;  // a target of the catalogue; empty: a data set
  std::string data_set;
  Labels labels = Labels::true_classes;
  std::vector<Method> methods;  // as it runs them
  bool expensive = false;       // --scale shortens its HMC and NUTS
  int repeats = 10;             // the paper's
  Index coordinate = -1;        // whose trace a figure shows; -1: none
  bool beyond = false;          // what the paper does not have: other columns, and an overview

  bool is_expensive(const Method& method) const { return expensive && method.hamiltonian; }
  int repeats_of(const Method& method) const { return method.repeats.value_or(repeats); }
};

const std::vector<Experiment>& experiments();
const Experiment& find_experiment(const std::string& name);

/// What can be asked for, and the repeats it is made from.
struct Need {
  std::string experiment;
  std::vector<std::string> methods = {};  // empty: all of the experiment
  bool all_repeats = true;                // else the first
};

struct Subject {
  std::string name;
  std::string help;
  bool is_table = false;  // else figures
  std::vector<Need> needs;
};

const std::vector<Subject>& subjects();

/// The subjects that an argument names: one, or every one for "all". UsageError with the nearest
/// name where there is none.
std::vector<Subject> find_subjects(const std::string& name);

/// MNIST as the authors labelled it instead of with its true labels.
Subject with_authors_labels(Subject subject);

enum class Shortening { comparable, rehearsal };

struct ShortenedMethod {
  Method method;
  double scale = 1;  // of the draws, as they were shortened
  // A warm-up that was not shortened with the draws is charged in the proportion it would have in
  // the full run, so that time and ESS are `scale` times those of the full run.
  double warmup_weight = 1;
};

/// Warm-up and draws times a factor, but long enough to be measured. A sampler that learns in
/// windows (NUTS) keeps its warm-up where it is to be compared: it is short already, and without it
/// the step and the mass would not be learnt.
ShortenedMethod shortened(Method method, double factor, Shortening shortening);

}  // namespace gadwall::app::reproduce
