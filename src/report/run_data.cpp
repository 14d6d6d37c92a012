// A run for the page: facts, verdict, the table, and the pictures of every parameter.
//
// Pictures are stored by parameter, chain and point, in that order, as base64 of typed arrays.
#include "report/run_data.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "diagnostics/thresholds.hpp"
#include "report/curves.hpp"
#include "report/learnt_data.hpp"
#include "text/option_names.hpp"
#include "text/utf8.hpp"
#include "threads/parallel.hpp"

namespace gadwall::report {
namespace {

constexpr Index kMostDrawn = 1000;  // draws of a chain that a trace shows
constexpr Index kDensityPoints = 96;
constexpr Index kRankBins = 20;
constexpr Index kMostLags = 101;
constexpr Index kMostDivergent = 1000;  // marked in the pair plots

Json facts_data(const RunFacts& f) {
  Json settings = Json::object();
  Json target_settings = Json::object();
  for (const auto& [name, value] : f.target_settings) {
    target_settings[as_utf8(name)] = as_utf8(value);
  }
  for (const auto& [name, value] : f.target_settings) settings[as_utf8(name)] = as_utf8(value);
  for (const auto& [name, value] : f.settings) settings[as_utf8(name)] = as_utf8(value);
  return {{"target", as_utf8(f.target)},
          {"statement", as_utf8(f.statement)},
          {"sampler", as_utf8(f.sampler)},
          {"chains", f.chains},
          {"lanes", f.lanes},
          {"warmup", f.warmup},
          {"thin", f.thin},
          {"draws", f.draws},
          {"seed", std::to_string(f.seed)},  // may be beyond what JavaScript's numbers hold
          {"seconds", {f.seconds.warmup, f.seconds.sampling}},
          {"gradients", {f.gradients.warmup, f.gradients.sampling}},
          {"densities", {f.densities.warmup, f.densities.sampling}},
          {"accept", f.accept_rate},
          {"divergences", f.divergences},
          {"bad_points", f.bad_points},
          {"stopped_by", as_utf8(f.stopped_by)},
          {"command", as_utf8(f.command)},
          {"target_settings", target_settings},
          {"settings", settings}};
}

/// The last line of the verdict's text says it all.
std::string closing_words(const std::string& text) {
  const std::string lines = text.substr(0, text.find_last_not_of('\n') + 1);
  return lines.substr(lines.rfind('\n') + 1);
}

Json verdict_data(const Verdict& verdict, const Summary& summary) {
  Json findings = Json::array();
  for (const Finding& f : verdict.findings) {
    findings.push_back({{"serious", f.serious},
                        {"what", as_utf8(f.what)},
                        {"advice", with_dashes(as_utf8(f.advice))}});
  }
  return {{"sound", verdict.sound()},
          {"words", closing_words(to_text(verdict, summary))},
          {"findings", findings}};
}

/// One array per column, numbers as they are.
Json table_data(const Summary& summary) {
  using P = ParameterDiagnostics;
  constexpr std::pair<const char*, double P::*> columns[] = {
      {"mean", &P::mean},         {"mcse", &P::mcse_mean},    {"sd", &P::sd},
      {"q05", &P::q05},           {"q50", &P::q50},           {"q95", &P::q95},
      {"ess_bulk", &P::ess_bulk}, {"ess_tail", &P::ess_tail}, {"ess_sq", &P::ess_sq},
      {"rhat", &P::rhat}};
  Json table = {{"name", Json::array()}, {"worst", Json::array()}};
  for (const ParameterSummary& p : summary.parameters) {
    table["name"].push_back(as_utf8(p.name));
    table["worst"].push_back(worst_ess(p.values));
    for (const auto& [name, field] : columns) table[name].push_back(p.values.*field);
    if (!p.controlled) continue;
    table["controlled"].push_back(p.controlled->mean);
    table["controlled_mcse"].push_back(p.controlled->mcse);
  }
  return table;
}

Json efficiency_data(const Summary& summary) {
  return {{"worst", summary.ess_worst},
          {"per_second", summary.ess_worst_per_second()},
          {"per_gradient", summary.ess_worst_per_gradient()},
          {"rhat", summary.rhat_max}};
}

/// The numbers of one parameter's pictures, before they are put together.
struct Pictures {
  std::vector<std::uint16_t> draws, divergent, density, ranks;
  std::vector<std::int16_t> autocorrelation;
  double low = 0, high = 0;                  // of the draws
  double from = 0, to = 0, density_top = 0;  // of the densities
  double outside = 0;                        // share of the draws that they leave out
  std::vector<double> bulk, tail;            // ESS at the numbers of draws in `growth`
};

struct Shape {
  Thinning thinning;
  Index lags = 0;
  std::vector<Index> growth;                       // draws per chain, all but the last
  std::vector<std::pair<Index, Index>> divergent;  // chain, draw
};

Shape shape_of(const Draws& draws, Index drawn_values) {
  const Index n = draws.draws();
  const auto chains = static_cast<Index>(draws.chains.size());
  Shape shape;
  const Index values = std::max<Index>(1, chains * draws.dim());
  shape.thinning = Thinning::of(n, std::clamp<Index>(drawn_values / values, 50, kMostDrawn));
  shape.lags = std::min(kMostLags, n / 2);
  for (const double share : {0.125, 0.25, 0.5}) {
    const auto count = static_cast<Index>(share * static_cast<double>(n));
    if (count >= 20) shape.growth.push_back(count);
  }
  for (Index c = 0; c < chains; ++c) {
    const Vector divergent = draws.statistic(static_cast<std::size_t>(c), "divergent");
    for (Index i = 0; i < divergent.size(); ++i) {
      const bool room = static_cast<Index>(shape.divergent.size()) < kMostDivergent;
      if (room && divergent[i] > 0) shape.divergent.emplace_back(c, i);
    }
  }
  return shape;
}

Pictures picture(const Matrix& x, const Shape& shape) {
  Pictures p;
  const Quantiser quantise = Quantiser::range_of(x);
  p.low = quantise.low();
  p.high = quantise.high();
  for (Index c = 0; c < x.cols(); ++c) {
    for (Index i = 0; i < shape.thinning.count; ++i) {
      p.draws.push_back(quantise(x(i * shape.thinning.every, c)));
    }
  }
  for (const auto& [c, i] : shape.divergent) p.divergent.push_back(quantise(x(i, c)));

  const DensityCurves curves = density_curves(x, kDensityPoints);
  p.from = curves.low;
  p.to = curves.high;
  p.outside = curves.outside;
  p.density_top = curves.values.maxCoeff();
  const Quantiser height(0, p.density_top);
  for (const double v : curves.values.reshaped()) {
    p.density.push_back(p.density_top > 0 ? height(v) : std::uint16_t{0});
  }
  const Eigen::MatrixXi counts = rank_counts(x, kRankBins);
  const Quantiser share(0, static_cast<double>(x.rows()));
  for (const int count : counts.reshaped()) p.ranks.push_back(share(count));
  const Matrix correlations = autocorrelations(x, shape.lags);
  for (const double v : correlations.reshaped()) {
    p.autocorrelation.push_back(std::isfinite(v) ? static_cast<std::int16_t>(std::lround(v * 32767))
                                                 : std::int16_t{-32768});
  }
  for (const Index count : shape.growth) {
    const ParameterDiagnostics first = diagnose_parameter(x.topRows(count));  // sorts once
    p.bulk.push_back(first.ess_bulk);
    p.tail.push_back(first.ess_tail);
  }
  return p;
}

template <class T>
Json joined(const std::vector<Pictures>& all, std::vector<T> Pictures::*field) {
  std::vector<T> values;
  for (const Pictures& p : all) values.insert(values.end(), (p.*field).begin(), (p.*field).end());
  return base64_of(values);
}

template <class T>
Json listed(const std::vector<Pictures>& all, T Pictures::*field) {
  Json values = Json::array();
  for (const Pictures& p : all) values.push_back(p.*field);
  return values;
}

Json pictures_data(const Draws& draws, const Shape& shape) {
  std::vector<Pictures> all(static_cast<std::size_t>(draws.dim()));
  for_each_in_parallel(all.size(), [&](std::size_t j) {
    all[j] = picture(draws.parameter(static_cast<Index>(j)), shape);
  });
  return {{"every", shape.thinning.every},
          {"count", shape.thinning.count},
          {"low", listed(all, &Pictures::low)},
          {"high", listed(all, &Pictures::high)},
          {"draws", joined(all, &Pictures::draws)},
          {"divergent_count", shape.divergent.size()},
          {"divergent", joined(all, &Pictures::divergent)},
          {"density_points", kDensityPoints},
          {"density_from", listed(all, &Pictures::from)},
          {"density_to", listed(all, &Pictures::to)},
          {"density_top", listed(all, &Pictures::density_top)},
          {"density_outside", listed(all, &Pictures::outside)},
          {"density", joined(all, &Pictures::density)},
          {"rank_bins", kRankBins},
          {"ranks", joined(all, &Pictures::ranks)},
          {"lags", shape.lags},
          {"autocorrelation", joined(all, &Pictures::autocorrelation)},
          {"growth", shape.growth},
          {"bulk", listed(all, &Pictures::bulk)},
          {"tail", listed(all, &Pictures::tail)}};
}

/// log pi of the thinned draws, chain after chain, as 32-bit numbers; NaN where the file has none.
Json log_density_data(const Draws& draws, const Thinning& thinning) {
  std::vector<float> values;
  for (std::size_t c = 0; c < draws.chains.size(); ++c) {
    const Vector logp = draws.statistic(c, "log_density");
    for (Index i = 0; i < thinning.count; ++i) {
      values.push_back(logp.size() == 0 ? std::numeric_limits<float>::quiet_NaN()
                                        : static_cast<float>(logp[i * thinning.every]));
    }
  }
  return base64_of(values);
}

/// Notes as pairs, in their order.
Json stages_data(const RunFacts& facts) {
  Json stages = Json::array();
  for (const StageFacts& stage : facts.stages) {
    Json notes = Json::array();
    for (const Note& note : stage.notes) {
      const Json value = std::visit([](const auto& v) { return Json(v); }, note.value);
      notes.push_back({as_utf8(note.name), value});
    }
    stages.push_back({{"name", as_utf8(stage.name)},
                      {"iterations", stage.iterations},
                      {"gradients", stage.gradients},
                      {"notes", notes}});
  }
  return stages;
}

}  // namespace

Json run_data(const ReportedRun& run, const Summary& summary, Index drawn_values) {
  const Draws& draws = *run.draws;
  const auto chains = static_cast<double>(draws.chains.size());
  const Shape shape = shape_of(draws, drawn_values);
  return {{"name", as_utf8(run.name)},
          {"facts", facts_data(draws.facts)},
          {"chains", draws.chains.size()},
          {"draws", draws.draws()},
          {"limits", {{"rhat", kMostRhat}, {"ess", least_worst_ess(chains)}}},
          {"verdict", verdict_data(judge(draws, summary), summary)},
          {"efficiency", efficiency_data(summary)},
          {"table", table_data(summary)},
          {"pictures", pictures_data(draws, shape)},
          {"log_density", log_density_data(draws, shape.thinning)},
          {"stages", stages_data(draws.facts)},
          {"learnt", learnt_data(draws)}};
}

}  // namespace gadwall::report
