// A sampler: a row of the catalogue. Its stages are put together from kernels, adapters and
// meetings, and its options are theirs.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gadwall/options.hpp"
#include "gadwall/stage.hpp"

namespace gadwall {

struct SamplerTitle {
  std::string name;
  std::string summary;  // one line for people
  Index warmup;         // default lengths of a run
  Index draws;
  bool settles = false;          // learns all along, so that warm-up can end when it has settled
  std::string stan_engine = {};  // what CmdStan calls it: "nuts" or "static"; empty: it has none
  bool pools = false;            // all chains learn together, whatever their lanes
  Index chains = 4;              // R-hat needs several
  Index lanes = 1;               // of a batch, at most
  double until_ess = 0;          // > 0: a run ends at this worst ESS, and `draws` is the most
  Index least_draws = 0;         // of such a run
  bool advised = false;          // where another one fails: it finds its way on most targets
};

struct SamplerRow : SamplerTitle {
  std::vector<OptionInfo> options;  // with the defaults of this sampler

  /// UsageError where a setting does not fit.
  std::function<std::vector<Stage>(const Settings&, const Circumstances&)> stages;

  bool has_option(const std::string& option) const {
    return find_option(options, option) != nullptr;
  }
};

/// For samplers without options.
struct NoOptions {
  void describe(OptionFields&) {}
};

/// options: a struct with `describe`, holding the sampler's defaults.
/// stages: (const Options&, const Circumstances&) -> std::vector<Stage>
template <class Options, class MakeStages>
SamplerRow make_sampler(SamplerTitle title, Options options, MakeStages stages) {
  SamplerRow row{std::move(title), list_options(options), {}};
  row.stages = [options, stages](const Settings& given, const Circumstances& circumstances) {
    return stages(with_settings(options, given), circumstances);
  };
  return row;
}

/// The two stages of an ordinary sampler: one that learns, and the draws.
template <class MakeKernel, class MakeAdapter>
std::vector<Stage> learn_then_draw(const Circumstances& c, MakeKernel kernel, MakeAdapter adapter) {
  Stage learning{"warm-up", c.warmup, c.lanes, false, kernel, adapter, {}, {}};
  Stage draws{"draws", c.iterations, c.lanes, false, kernel, {}, {}, {}};
  return {std::move(learning), std::move(draws)};
}

}  // namespace gadwall
