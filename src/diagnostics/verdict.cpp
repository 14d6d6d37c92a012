// The verdict: what is wrong with a run, in words, and what to try. It describes; it never mends.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "diagnostics/advice.hpp"
#include "diagnostics/chain_checks.hpp"
#include "diagnostics/divergences.hpp"
#include "diagnostics/thresholds.hpp"
#include "gadwall/summary.hpp"
#include "text/number_text.hpp"
#include "text/text_table.hpp"

namespace gadwall {
namespace {

/// A setting as a file has it; NaN where it is missing or no number.
double setting(const RunFacts& facts, const std::string& name) {
  const auto found = facts.settings.find(name);
  if (found == facts.settings.end()) return std::numeric_limits<double>::quiet_NaN();
  const std::string& text = found->second;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end == text.c_str() ? std::numeric_limits<double>::quiet_NaN() : value;
}

/// Without values that are nothing to be estimated, as log_lik and y_rep.
Summary judged_part(const Summary& summary) {
  std::vector<Index> positions;
  for (std::size_t i = 0; i < summary.parameters.size(); ++i) {
    const bool counts = summary.facts.is_judged(summary.parameters[i].name);
    if (counts) positions.push_back(static_cast<Index>(i));
  }
  return select_parameters(summary, positions);
}

template <class Condition>
std::vector<std::string> names_where(const Summary& summary, Condition condition) {
  std::vector<std::string> names;
  for (const ParameterSummary& p : summary.parameters) {
    if (condition(p.values)) names.push_back(p.name);
  }
  return names;
}

using Parameter = ParameterDiagnostics;

/// "`sampler=nuts` or `sampler=auto`, "; nothing where there is none to try.
std::string or_another(const RunFacts& facts) {
  const std::string others = other_samplers(facts);
  return others.empty() ? "" : others + ", ";
}

bool varies(const Parameter& p) {
  return std::isfinite(p.mean) && !is_fixed(p);
}

/// Over all parameters, those left out where it is not defined.
double least_ess(const Summary& summary) {
  double least = std::numeric_limits<double>::quiet_NaN();
  for (const auto& parameter : summary.parameters)
    least = std::fmin(least, least_ess(parameter.values));
  return least;
}

double most_rhat(const Summary& summary) {
  double most = std::numeric_limits<double>::quiet_NaN();
  for (const ParameterSummary& p : summary.parameters) most = std::fmax(most, p.values.rhat);
  return most;
}

/// What cannot be computed is not good.
void check_substance(const Draws& draws, const Summary& summary, Verdict& verdict) {
  if (draws.dim() * draws.draws() > 0 && !std::isnan(most_rhat(summary) + least_ess(summary)))
    return;
  verdict.findings.push_back(
      {true, "no parameter has draws, an ESS and an R-hat", "look at where the draws come from"});
}

void check_finite(const Summary& summary, Verdict& verdict) {
  const auto broken =
      names_where(summary, [](const Parameter& p) { return !std::isfinite(p.mean); });
  if (!broken.empty()) {
    verdict.findings.push_back({true, "draws that are not finite: " + list_names(broken),
                                "look at the target: a density that is finite there is wrong"});
  }
}

void check_constants(const Draws& draws, const Summary& summary, Verdict& verdict) {
  const auto constant = names_where(summary, is_fixed);
  if (constant.empty()) return;
  // Our kernels move all parameters together: one that alone stays is a quantity that is fixed.
  if (constant.size() == summary.parameters.size()) {
    verdict.findings.push_back(
        {true, "no draw differs from another: " + list_names(constant), rejection_advice(draws)});
  } else {
    verdict.findings.push_back({false, "constant: " + list_names(constant),
                                "harmless where the model fixes it; not judged"});
  }
}

void check_movement(const Draws& draws, Verdict& verdict) {
  std::vector<std::string> stuck;
  for (std::size_t c = 0; c < draws.chains.size(); ++c) {
    const Matrix& x = draws.chains[c].draws;
    if (x.rows() > 1 && (x.rowwise() - x.row(0)).isZero(0)) {
      stuck.push_back(fmt::format("chain {}", c + 1));
    }
  }
  if (!stuck.empty()) {
    verdict.findings.push_back(
        {true, "never moved: " + list_names(stuck), rejection_advice(draws)});
  }
}

void check_rhat(const Summary& summary, Verdict& verdict) {
  const auto apart = names_where(summary, [](const Parameter& p) { return p.rhat > kMostRhat; });
  if (!apart.empty()) {
    verdict.findings.push_back(
        {true,
         fmt::format("R-hat is {} (should be below {}): {}",
                     text_beside(most_rhat(summary), kMostRhat, 3), kMostRhat, list_names(apart)),
         fmt::format("the chains have not mixed; more warm-up and draws, and if that does not help "
                     "{}look for separate modes",
                     or_another(summary.facts))});
  }
  if (summary.facts.chains == 1) {
    verdict.findings.push_back(
        {false, "one chain alone cannot show that it missed a mode", "run at least 4 chains"});
  }
}

void check_defined(const Summary& summary, Verdict& verdict) {
  const auto undefined = names_where(summary, [](const Parameter& p) {
    return varies(p) && (std::isnan(p.ess_bulk) || std::isnan(p.rhat));
  });
  if (!undefined.empty()) {
    verdict.findings.push_back(
        {true, "ESS or R-hat is not defined: " + list_names(undefined),
         "there are too few draws, or most of them share one value; draw more"});
  }
  const auto tied = names_where(summary, [](const Parameter& p) {
    return varies(p) && !std::isnan(p.ess_bulk) && !std::isnan(p.rhat) &&
           (std::isnan(p.ess_tail) || std::isnan(p.ess_sq));
  });
  if (!tied.empty()) {
    verdict.findings.push_back(
        {false, "the ESS of the tails is not defined: " + list_names(tied),
         "draws share their extreme value, as those of a count do, or are few"});
  }
}

void check_ess(const Summary& summary, Verdict& verdict) {
  const double wanted = least_worst_ess(static_cast<double>(summary.facts.chains));
  const auto low = names_where(summary, [&](const Parameter& p) { return least_ess(p) < wanted; });
  if (!low.empty()) {
    verdict.findings.push_back(
        {true,
         fmt::format("worst ESS is {} (should be at least {}): {}",
                     text_beside(least_ess(summary), wanted, 0), count_text(wanted),
                     list_names(low)),
         fmt::format("more draws; if it stays a small share of them, {}a longer warm-up or other "
                     "parameters",
                     or_another(summary.facts))});
  }
  const auto antithetic =
      names_where(summary, [](const Parameter& p) { return p.ess_sq < 0.2 * p.ess_bulk; });
  if (!antithetic.empty()) {
    verdict.findings.push_back(
        {false,
         "the ESS of squares is below a fifth of the ESS of values: " + list_names(antithetic),
         fmt::format("means are far more accurate than sds and quantiles: {}",
                     summary.facts.settings.contains("leapfrog")
                         ? "use `jitter` or another `leapfrog`"
                         : "draw more where these matter")});
  }
}

/// Mean squared change of the energy over its variance; low where the momenta cannot carry the
/// chain through all energies. NaN where the kernel has none.
double bfmi(const Vector& energy) {
  const Index n = energy.size();
  if (n < 4) return std::numeric_limits<double>::quiet_NaN();
  const double spread = (energy.array() - energy.mean()).square().sum();
  return (energy.tail(n - 1) - energy.head(n - 1)).squaredNorm() / spread;
}

/// What a draw makes anew of the kinetic energy: all of it, but 1 - a^2 where a share a of the
/// momentum is kept, since |a v + sqrt(1 - a^2) eps|^2 has the correlation a^2 with |v|^2; and
/// 1 - a^(2 r) where r trajectories make a draw.
/// Chains are those of the batches one after the other, as many of each.
double refreshed_energy(const Draws& draws, std::size_t chain) {
  if (draws.learnt.empty()) return 1;
  const std::size_t batch = chain * draws.learnt.size() / draws.chains.size();
  const std::optional<TrajectoryPlan>& plan = draws.learnt[batch].tuning.trajectory;
  if (!plan) return 1;
  return 1 - std::pow(plan->persistence, 2 * static_cast<double>(plan->per_draw));
}

void check_energy(const Draws& draws, Verdict& verdict) {
  std::vector<std::string> low;
  for (std::size_t c = 0; c < draws.chains.size(); ++c) {
    const double value = bfmi(draws.statistic(c, "energy")) / refreshed_energy(draws, c);
    if (!(value < kLeastBfmi)) continue;
    low.push_back(fmt::format("chain {} ({})", c + 1, text_beside(value, kLeastBfmi, 2)));
  }
  if (!low.empty()) {
    verdict.findings.push_back(
        {true, fmt::format("E-BFMI is below {}: {}", kLeastBfmi, list_names(low)),
         "the energy moves too slowly, heavy tails or a funnel; reparametrise"});
  }
}

void check_depth(const Draws& draws, Verdict& verdict) {
  const double most = setting(draws.facts, "max-depth");
  Index saturated = 0;
  for (std::size_t c = 0; c < draws.chains.size(); ++c) {
    saturated += (draws.statistic(c, "tree_depth").array() >= most).count();
  }
  if (saturated == 0) return;
  verdict.findings.push_back(
      {false,
       fmt::format("{} reached the longest length allowed (depth {})",
                   counted(static_cast<std::uint64_t>(saturated), "transition"), most),
       fmt::format("correct but slow: raise `max-depth`, or try {}gadmala",
                   has_correlations(draws.facts) ? "" : "`metric=dense` or ")});
}

void check_run(const Draws& draws, const RunFacts& facts, Verdict& verdict) {
  const bool cut_short = facts.draws_asked > facts.draws && facts.stopped_by != "ess";
  if (cut_short || facts.stopped_by == "signal" || facts.stopped_by == "time") {
    const std::string asked =
        facts.draws_asked > 0
            ? fmt::format(" of {}", grouped(static_cast<std::uint64_t>(facts.draws_asked)))
            : std::string();
    verdict.findings.push_back(
        {false,
         fmt::format("the run was stopped: {}{} draws",
                     grouped(static_cast<std::uint64_t>(facts.draws)), asked),
         "what is there is judged as it is"});
  }
  if (facts.accept_rate > 0 && facts.accept_rate < 0.05) {
    verdict.findings.push_back(
        {true, fmt::format("acceptance is {:.3f}", facts.accept_rate), rejection_advice(draws)});
  }
  if (facts.bad_points > 0) {
    verdict.findings.push_back(
        {false,
         fmt::format("{} had no finite density or gradient and {} rejected",
                     counted(facts.bad_points, "point"), facts.bad_points == 1 ? "was" : "were"),
         "harmless where the target has limited support; otherwise look for overflow in it"});
  }
}

}  // namespace

bool Verdict::sound() const {
  return std::ranges::none_of(findings, [](const Finding& f) { return f.serious; });
}

Verdict judge(const Draws& draws, const Summary& everything) {
  Verdict verdict;
  check_finite(everything, verdict);
  const Summary summary = judged_part(everything);
  check_constants(draws, summary, verdict);
  check_movement(draws, verdict);
  check_copies(draws, verdict);
  check_rhat(summary, verdict);
  check_defined(summary, verdict);
  check_ess(summary, verdict);
  check_divergences(draws, verdict);
  check_energy(draws, verdict);
  check_depth(draws, verdict);
  check_run(draws, summary.facts, verdict);
  check_funnel(draws, summary, verdict);
  if (verdict.sound()) check_substance(draws, summary, verdict);
  std::ranges::stable_sort(verdict.findings, std::greater{}, &Finding::serious);
  return verdict;
}

std::string to_text(const Verdict& verdict, const Summary& everything) {
  const Summary summary = judged_part(everything);
  std::string text;
  for (const Finding& finding : verdict.findings) {
    text += fmt::format("{} {}\n        {}\n", finding.serious ? "PROBLEM" : "note   ",
                        finding.what, finding.advice);
  }
  if (verdict.sound()) {
    text += fmt::format("Sound: R-hat at most {}, worst ESS {}.\n", ratio_text(most_rhat(summary)),
                        count_text(least_ess(summary)));
  } else {
    text += "Not sound: do not rely on these draws yet.\n";
  }
  return text;
}

}  // namespace gadwall
