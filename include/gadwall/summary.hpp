// A run in numbers, and a verdict on it in words.
#pragma once

#include <string>
#include <vector>

#include "gadwall/diagnostics.hpp"
#include "gadwall/draws.hpp"

namespace gadwall {

struct ParameterSummary {
  std::string name;
  ParameterDiagnostics values;
};

/// Over the parameters.
struct Spread {
  double min = 0;
  double median = 0;
  double max = 0;
};

struct Summary {
  RunFacts facts;
  std::vector<ParameterSummary> parameters;
  Spread ess_paper;  // of a single chain, averaged over the chains, to be compared with the paper
  Spread ess_bulk;
  Spread ess_tail;
  double ess_worst = 0;  // min over parameters of bulk, tail and (x - mean)^2: the one to judge by;
                         // NaN where a parameter is constant or not finite
  double rhat_max = 0;

  double ess_worst_per_second() const;
  /// Evaluations of the density alone count like gradients.
  double ess_worst_per_gradient() const;
};

Summary summarise(const Draws& draws);

/// The object that `sample --json` and `summary --json` print. NaN and infinities become null.
std::string to_json(const Summary& summary);

/// The table for a terminal: all parameters, or the `rows` with the lowest worst ESS.
std::string to_text(const Summary& summary, Index rows = 0);

/// One thing that is wrong, or worth knowing, and what to try.
struct Finding {
  bool serious = false;  // the draws should not be trusted before this is mended
  std::string what;
  std::string advice;
};

struct Verdict {
  std::vector<Finding> findings;
  bool sound() const;
};

Verdict judge(const Draws& draws, const Summary& summary);
std::string to_text(const Verdict& verdict, const Summary& summary);

}  // namespace gadwall
