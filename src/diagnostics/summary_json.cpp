// The object that `--json` prints. Its fields are a promise: add, never rename.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "gadwall/summary.hpp"
#include "text/text_table.hpp"

namespace gadwall {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// JSON has no NaN and no infinities.
OrderedJson number(double value) {
  return std::isfinite(value) ? OrderedJson(value) : OrderedJson(nullptr);
}

template <class T>
OrderedJson cost(const Cost<T>& c) {
  return {{"warmup", c.warmup}, {"sampling", c.sampling}, {"total", c.total()}};
}

OrderedJson spread(const Spread& s) {
  return {{"min", number(s.min)}, {"median", number(s.median)}, {"max", number(s.max)}};
}

OrderedJson parameter(const ParameterSummary& p) {
  const ParameterDiagnostics& v = p.values;
  return {{"name", p.name},
          {"mean", number(v.mean)},
          {"sd", number(v.sd)},
          {"q05", number(v.q05)},
          {"q50", number(v.q50)},
          {"q95", number(v.q95)},
          {"mcse_mean", number(v.mcse_mean)},
          {"mcse_sd", number(v.mcse_sd)},
          {"ess_mean", number(v.ess_mean)},
          {"ess_bulk", number(v.ess_bulk)},
          {"ess_tail", number(v.ess_tail)},
          {"ess_sq", number(v.ess_sq)},
          {"rhat", number(v.rhat)}};
}

}  // namespace

std::string to_json(const Summary& summary) {
  const RunFacts& facts = summary.facts;
  OrderedJson json = {{"target", facts.target},
                      {"statement", facts.statement},
                      {"sampler", facts.sampler},
                      {"dim", summary.parameters.size()},
                      {"chains", facts.chains},
                      {"lanes", facts.lanes},
                      {"warmup", facts.warmup},
                      {"draws", facts.draws},
                      {"thin", facts.thin},
                      {"stopped_by", facts.stopped_by},
                      {"seed", facts.seed},
                      {"chain_offset", facts.chain_offset},
                      {"settings", facts.settings},
                      {"target_settings", facts.target_settings},
                      {"seconds", cost(facts.seconds)},
                      {"gradients", cost(facts.gradients)},
                      {"densities", cost(facts.densities)},
                      {"accept_rate", number(facts.accept_rate)},
                      {"divergences", facts.divergences},
                      {"bad_points", facts.bad_points},
                      {"ess_paper", spread(summary.ess_paper)},
                      {"ess_bulk", spread(summary.ess_bulk)},
                      {"ess_tail", spread(summary.ess_tail)},
                      {"ess_worst", number(summary.ess_worst)},
                      {"ess_worst_per_second", number(summary.ess_worst_per_second())},
                      {"ess_worst_per_gradient", number(summary.ess_worst_per_gradient())},
                      {"rhat_max", number(summary.rhat_max)},
                      {"parameters", OrderedJson::array()}};
  for (const ParameterSummary& p : summary.parameters) {
    json["parameters"].push_back(parameter(p));
    if (p.controlled) {
      json["parameters"].back()["mean_by_scores"] = number(p.controlled->mean);
      json["parameters"].back()["mcse_by_scores"] = number(p.controlled->mcse);
    }
    for (std::size_t q = 0; q < p.quantiles.size(); ++q) {
      json["parameters"].back()["quantiles"][fmt::format("{}", summary.probabilities[q])] =
          number(p.quantiles[q]);
    }
  }
  return printable_json(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)) + "\n";
}

}  // namespace gadwall
