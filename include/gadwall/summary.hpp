// A run in numbers, and a verdict on it in words.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gadwall/diagnostics.hpp"
#include "gadwall/draws.hpp"

namespace gadwall {

/// A mean from which the scores have taken the noise they explain (diagnostics/score_control.hpp).
struct ControlledMean {
  double mean = 0;
  double mcse = 0;  // from the ESS of what is left
};

struct ParameterSummary {
  std::string name;
  ParameterDiagnostics values;
  std::string trace = {};              // the chains one after another, in block characters
  std::vector<double> quantiles = {};  // those asked for
  std::optional<ControlledMean> controlled = {};
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
  std::vector<double> probabilities;  // of ParameterSummary::quantiles
  Spread ess_paper;  // of a single chain, averaged over the chains, to be compared with the paper;
                     // NaN where it was not asked for
  Spread ess_bulk;
  Spread ess_tail;
  double ess_worst = 0;  // min over parameters of bulk, tail and (x - mean)^2: the one to judge by;
                         // NaN where a parameter is not finite or all are constant
  double rhat_max = 0;

  double ess_worst_per_second() const;
  /// Evaluations of the density alone count like gradients.
  double ess_worst_per_gradient() const;
};

struct SummaryOptions {
  bool paper_ess = true;               // another ESS per parameter and chain
  std::vector<double> quantiles = {};  // beside those at 5, 50 and 95 %
  bool scores = false;                 // controlled means; UsageError where the run has no scores
  std::shared_ptr<const Summary> known = nullptr;  // of the same draws: its diagnostics are taken
};

/// Whether the run has scores, and draws enough for them.
bool can_control_means(const Draws& draws);

Summary summarise(const Draws& draws, const SummaryOptions& options = {});

/// The parameters at these positions alone; what is said of all stays.
Summary select_parameters(Summary summary, const std::vector<Index>& positions);

/// The object that `sample --json` and `summary --json` print. NaN and infinities become null.
std::string to_json(const Summary& summary);

/// The table as CSV, every number with all its digits; `nan` where one is not known.
std::string to_csv(const Summary& summary);

/// model: as they come, more than twenty with the lowest ESS first, then what follows from the
/// parameters (transformed, generated); constants last.
enum class TableOrder { model, name, ess, rhat };

/// The table for people: all parameters, or the `rows` with the lowest worst ESS.
std::string to_text(const Summary& summary, Index rows = 0);

/// How a table looks on a terminal.
struct TableStyle {
  Index rows = 0;       // only so many, by default the lowest ESS first; 0: all
  Index width = 0;      // columns of the terminal: names are cut, columns left out; 0: any
  bool colour = false;  // escape sequences that mark what the verdict would call bad
  bool trace = false;   // a column that draws the chains in block characters
  TableOrder order = TableOrder::model;
};

std::string to_text(const Summary& summary, const TableStyle& style);

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
