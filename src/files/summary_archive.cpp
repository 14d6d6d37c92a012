// Names what a summary and a verdict hold, for both directions.
#include "files/summary_archive.hpp"

#include "files/chain_origins.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

void archive_map(Archive& a, const std::string& name, std::map<std::string, std::string>& map) {
  std::vector<std::string> keys;
  std::vector<std::string> values;
  for (const auto& [key, value] : map) {
    keys.push_back(key);
    values.push_back(value);
  }
  a((name + " keys").c_str(), keys);
  a((name + " values").c_str(), values);
  if (keys.size() != values.size()) throw RunError("a summary that does not fit together");
  for (std::size_t i = 0; i < keys.size(); ++i) map[keys[i]] = values[i];
}

template <class T>
void archive_cost(Archive& a, const std::string& name, Cost<T>& cost) {
  a((name + " of warm-up").c_str(), cost.warmup);
  a((name + " of sampling").c_str(), cost.sampling);
}

void archive_origins(Archive& a, std::vector<ChainRange>& origins) {
  std::string text = to_text(origins);
  a("origins", text);
  origins = ranges_from_text(text);
}

void archive_spread(Archive& a, const std::string& name, Spread& s) {
  std::vector<double> values = {s.min, s.median, s.max};
  a(name.c_str(), values);
  if (values.size() != 3) throw RunError("a summary that does not fit together");
  s = {values[0], values[1], values[2]};
}

using Field = double ParameterDiagnostics::*;
using P = ParameterDiagnostics;
constexpr Field kFields[] = {&P::mean,     &P::sd,        &P::q05,     &P::q50,
                             &P::q95,      &P::mcse_mean, &P::mcse_sd, &P::ess_mean,
                             &P::ess_bulk, &P::ess_tail,  &P::ess_sq,  &P::rhat};
static_assert(sizeof(ParameterDiagnostics) == std::size(kFields) * sizeof(double));

/// All parameters together: rows of numbers, and texts.
void archive_parameters(Archive& a, Summary& summary) {
  const auto quantiles = summary.probabilities.size();
  std::vector<std::string> names;
  std::vector<std::string> traces;
  std::vector<double> numbers;
  for (const ParameterSummary& p : summary.parameters) {
    names.push_back(p.name);
    traces.push_back(p.trace);
    for (const Field field : kFields) numbers.push_back(p.values.*field);
    numbers.insert(numbers.end(), p.quantiles.begin(), p.quantiles.end());
  }
  a("names", names);
  a("traces", traces);
  a("numbers", numbers);
  if (a.is_saving()) return;
  const std::size_t width = std::size(kFields) + quantiles;
  if (traces.size() != names.size() || numbers.size() != names.size() * width) {
    throw RunError("a summary that does not fit together");
  }
  auto number = numbers.begin();
  for (std::size_t i = 0; i < names.size(); ++i) {
    ParameterSummary p{names[i], {}, traces[i], {}};
    for (const Field field : kFields) p.values.*field = *number++;
    p.quantiles.assign(number, number + static_cast<std::ptrdiff_t>(quantiles));
    number += static_cast<std::ptrdiff_t>(quantiles);
    summary.parameters.push_back(std::move(p));
  }
}

void archive_stages(Archive& a, std::vector<StageFacts>& stages) {
  std::vector<std::string> names;  // so many
  for (const StageFacts& stage : stages) names.push_back(stage.name);
  a("stages", names);
  stages.resize(names.size());
  for (std::size_t s = 0; s < names.size(); ++s) {
    a(("stage " + std::to_string(s)).c_str(), stages[s]);
  }
}

}  // namespace

void archive_measured(Archive& a, MeasuredFacts& f) {
  a("draws", f.draws);
  archive_cost(a, "seconds", f.seconds);
  archive_cost(a, "gradients", f.gradients);
  archive_cost(a, "densities", f.densities);
  a("acceptance", f.accept_rate);
  a("divergences", f.divergences);
  a("bad points", f.bad_points);
  a("stopped by", f.stopped_by);
}

void archive_facts(Archive& a, RunFacts& f) {
  archive_measured(a, f);
  a("target", f.target);
  a("statement", f.statement);
  a("sampler", f.sampler);
  a("stan engine", f.stan_engine);
  a("chains", f.chains);
  a("lanes", f.lanes);
  a("warm-up", f.warmup);
  a("draws asked", f.draws_asked);
  a("thin", f.thin);
  a("parameters of the model", f.parameters);
  a("seed", f.seed);
  a("chain offset", f.chain_offset);
  archive_origins(a, f.origins);
  archive_map(a, "settings", f.settings);
  archive_map(a, "target settings", f.target_settings);
  archive_map(a, "groups", f.groups);
  a("command", f.command);
}

void archive_summary(Archive& a, Summary& summary) {
  archive_facts(a, summary.facts);
  archive_stages(a, summary.facts.stages);
  a("probabilities", summary.probabilities);
  archive_parameters(a, summary);
  archive_spread(a, "paper ess over parameters", summary.ess_paper);
  archive_spread(a, "bulk ess over parameters", summary.ess_bulk);
  archive_spread(a, "tail ess over parameters", summary.ess_tail);
  a("worst ess", summary.ess_worst);
  a("largest rhat", summary.rhat_max);
}

void archive_verdict(Archive& a, Verdict& verdict) {
  std::vector<std::int64_t> serious;
  std::vector<std::string> what;
  std::vector<std::string> advice;
  for (const Finding& finding : verdict.findings) {
    serious.push_back(finding.serious ? 1 : 0);
    what.push_back(finding.what);
    advice.push_back(finding.advice);
  }
  a("serious", serious);
  a("what", what);
  a("advice", advice);
  if (a.is_saving()) return;
  if (what.size() != serious.size() || advice.size() != serious.size()) {
    throw RunError("a verdict that does not fit together");
  }
  for (std::size_t i = 0; i < what.size(); ++i) {
    verdict.findings.push_back({serious[i] != 0, what[i], advice[i]});
  }
}

void forget_quantiles(Summary& summary) {
  summary.probabilities.clear();
  for (ParameterSummary& p : summary.parameters) p.quantiles.clear();
}

}  // namespace gadwall::files
