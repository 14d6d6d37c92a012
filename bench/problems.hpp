// The small problems of the paper, for measuring programs that are given the directory with its
// data sets.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "gadwall/gadwall.hpp"

namespace gadwall::bench {

struct Problem {
  std::string name;
  std::shared_ptr<const Target> target;
};

inline std::vector<Problem> small_problems(const std::string& directory) {
  std::vector<Problem> problems = {{"neal100", find_target("neal100").make({}).target}};
  for (const char* name : {"ripley", "pima", "heart", "australian", "german"}) {
    TargetOptions options;
    options.data = directory + "/" + name + ".csv";
    problems.push_back({name, find_target("logistic").make(options).target});
  }
  return problems;
}

/// A whole number given as argument `at`, or what is taken without it.
inline Index whole_argument(int count, char** arguments, int at, Index otherwise) {
  return count > at ? std::atol(arguments[at]) : otherwise;
}

}  // namespace gadwall::bench
