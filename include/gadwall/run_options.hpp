// What a run is told that is common to all samplers, with its defaults.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gadwall/start.hpp"
#include "gadwall/tuning.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

struct RunOptions {
  Index chains = 0;  // 0: as many as the sampler wants, at least the lanes
  Index lanes = 0;   // chains in lockstep that share what they learn; divides chains; 0: as many
                     // as the sampler wants
  std::optional<Index> warmup = {};  // iterations that learn; default: the sampler's
  std::optional<Index> draws = {};   // kept iterations of each chain; default: the sampler's
  std::uint64_t seed = 1;  // with the chain and the iteration it decides every number drawn
  Index chain_offset =
      0;            // the chains are these of a larger run: chain_offset, chain_offset + 1, ...
  int threads = 1;  // batches of lanes that run side by side; never changes a draw
  StartPart start = {};               // where chains begin; null: what the target suggests, N(0, I)
  std::optional<Tuning> tuning = {};  // to begin with, instead of the sampler's own

  // when it ends
  bool warmup_settles = false;  // warm-up ends when L has settled; `warmup` is then its most
  double until_ess = 0;         // > 0: end when worst ESS is this and R-hat below 1.01; `draws` is
                                // then the most. 0: by the sampler's own rule, which is not asked
                                // where `draws` is given
  double max_seconds = 0;       // > 0: end after so long, with what there is

  // what is kept
  Index thin = 1;                // every thin-th iteration, `draws` of them
  bool save_warmup = false;      // the states of warm-up too
  bool save_scores = false;      // with each draw the gradient of log pi, in the coordinates that
                                 // the sampler moves in
  std::vector<Index> save = {};  // of the values of a draw, these; empty: all
  /// Groups of the draws file by the arrays, of values or of data, that they hold: {"y_rep",
  /// "posterior_predictive"}. None: as the arrays are called.
  std::optional<std::map<std::string, std::string>> groups = {};
};

}  // namespace gadwall
