// Advice by sampler.
#include "diagnostics/advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "gadwall/catalog.hpp"
#include "text/number_text.hpp"
#include "text/text_table.hpp"

namespace gadwall {
namespace {

constexpr const char* kTrees = "max-depth";  // who has this option builds trees

}  // namespace

std::string other_samplers(const RunFacts& facts) {
  std::vector<std::string> others;
  for (const SamplerRow& row : samplers()) {
    if (row.advised && row.name != facts.sampler) {
      others.insert(others.begin(), fmt::format("`sampler={}`", row.name));  // the default last
    }
  }
  return fmt::format("{}", fmt::join(others, " or "));
}

std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  if (names.size() <= kShown) return printable(fmt::format("{}", fmt::join(names, ", ")));
  const std::vector<std::string> first(names.begin(), names.begin() + kShown);
  return printable(
      fmt::format("{} and {} more", fmt::join(first, ", "), grouped(names.size() - kShown)));
}

double least_ess(const ParameterDiagnostics& p) {
  return std::fmin(p.ess_bulk, std::fmin(p.ess_tail, p.ess_sq));
}

std::string coordinates_words(const RunFacts& facts) {
  std::string words;
  for (const StageFacts& stage : facts.stages) {
    for (const Note& note : stage.notes) {
      const std::string* text = std::get_if<std::string>(&note.value);
      if (note.name == "warp" && text != nullptr) words = *text;
    }
  }
  return words == "none" ? "" : words;
}

bool has_correlations(const std::string& metric) {
  return metric == "auto" || metric == to_string(Metric::dense) ||
         metric == to_string(Metric::low_rank);
}

bool has_correlations(const RunFacts& facts) {
  const auto found = facts.settings.find("metric");
  return found != facts.settings.end() && has_correlations(found->second);
}

bool builds_trees(const Draws& draws) {
  if (draws.facts.settings.contains(kTrees)) return true;
  for (std::size_t c = 0; c < draws.chains.size(); ++c) {
    if ((draws.statistic(c, "tree_depth").array() > 0).any()) return true;
  }
  return false;
}

std::string advise_trees(bool builds_trees, bool has_correlations) {
  if (builds_trees && has_correlations) return "";
  std::string sampler;
  for (const SamplerRow& row : samplers()) {
    if (row.advised && row.has_option(kTrees)) sampler = fmt::format("`sampler={}` ", row.name);
  }
  return (builds_trees ? "" : sampler) + "`metric=dense` `max-depth=12`, ";
}

std::string rejection_advice(const Draws& draws) {
  const RunFacts& facts = draws.facts;
  const auto scout = facts.settings.find("scout");
  const bool may_scout = scout != facts.settings.end() && scout->second == "0";
  return fmt::format(
      "the proposal does not fit the target, whose scales may differ widely: try {}{}a longer "
      "warm-up, another start (`init`), or scale the data",
      may_scout ? "`scout=1000`, " : "",
      advise_trees(builds_trees(draws), has_correlations(facts)));
}

}  // namespace gadwall
