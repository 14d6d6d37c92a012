// What is shown of a run while it goes, for a terminal of any size: a table with a row per chain,
// below it the run as a whole.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "terminal.hpp"

namespace gadwall::app {

struct ChainView {
  Index number = 0;  // from 1
  Index done = 0;    // iterations of the present stage, or draws
  double acceptance = 0;
  double ess = std::numeric_limits<double>::quiet_NaN();
  Index divergences = 0;
  double gradients_per_second = 0;
  double step = 0;
  double log_determinant = 0;
  bool is_stuck = false;
};

struct RunView {
  std::string stage;
  bool is_sampling = false;
  Index done = 0;        // by the chain furthest behind
  Index most = 0;        // of the stage
  bool may_end = false;  // before that
  double ess = std::numeric_limits<double>::quiet_NaN();
  std::string ess_name;
  double rhat = std::numeric_limits<double>::quiet_NaN();
  Index divergences = 0;
  std::string time_left;
  std::vector<ChainView> chains;
};

/// "draws 1,200 / 20,000  worst ESS ~85 (x.3)  R-hat ~1.021  divergences 0  41 s left", in at most
/// `columns` columns: what matters less is left out first.
std::string run_line(const RunView& view, std::size_t columns);

/// At most as many lines as can be redrawn, none wider than the terminal. Of more chains than there
/// is room for the worst are shown, the worst first, and the others in one line.
std::vector<std::string> live_lines(const RunView& view, const TerminalSize& size);

}  // namespace gadwall::app
