// Every number in the tables of the paper, as printed: Titsias & Dellaportas (2019),
// "Gradient-based Adaptive Markov Chain Monte Carlo", table 1 and the tables of the supplement.
#pragma once

#include <string>
#include <vector>

namespace gadwall::app::reproduce {

struct PaperRow {
  std::string experiment;  // the name we give to the data set
  std::string method;      // the name we give to the method; the paper's NUTS has unit mass
  double seconds;          // burn-in included
  double acceptance;       // NaN: printed as ">0.7"
  double ess_min;          // over the coordinates; all figures are means over the repeats
  double ess_median;
  double ess_max;
  double ess_per_second;     // smallest ESS by time
  double ess_per_second_sd;  // one standard deviation over the repeats
};

const std::vector<PaperRow>& paper_rows();

/// nullptr where the paper prints none.
const PaperRow* find_paper_row(const std::string& experiment, const std::string& method);

}  // namespace gadwall::app::reproduce
