// Compares runs by their facts, and adds the facts up.
#include "files/run_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <set>

#include "files/netcdf_stream.hpp"
#include "gadwall/error.hpp"
#include "text/number_text.hpp"

namespace gadwall::files {
namespace {

using Description = std::vector<std::pair<std::string, std::string>>;

/// What must be the same, by name; empty where unknown.
Description kind_of(const RunPart& part) {
  const RunFacts& f = part.facts;
  Description kind = {{"the target", f.target},
                      {"the statement of the target", f.statement},
                      {"the sampler", f.sampler},
                      {"the number of values of a draw", std::to_string(part.names.size())},
                      {"the number of parameters", std::to_string(f.parameters)},
                      {"`lanes`", std::to_string(f.lanes)},
                      {"`thin`", std::to_string(f.thin)}};
  for (const auto& [name, value] : f.target_settings) kind.emplace_back("`" + name + "`", value);
  for (const auto& [name, value] : f.settings) kind.emplace_back("`" + name + "`", value);
  return kind;
}

std::string value_in(const Description& kind, const std::string& name) {
  const auto found = std::ranges::find(kind, name, &Description::value_type::first);
  return found != kind.end() ? found->second : "not there";
}

[[noreturn]] void refuse(const RunPart& part, const std::string& what, const std::string& is,
                         const RunPart& first, const std::string& was) {
  throw UsageError(
      fmt::format("{}: {} is {}, expected {} as in {}", part.path, what, is, was, first.path));
}

void require_kind(const RunPart& part, const RunPart& first) {
  const Description is = kind_of(part);
  const Description was = kind_of(first);
  for (const auto& [name, value] : was) {
    if (value_in(is, name) != value) refuse(part, name, value_in(is, name), first, value);
  }
  for (const auto& [name, value] : is) {
    if (value_in(was, name) != value) refuse(part, name, value, first, value_in(was, name));
  }
  const auto value = std::ranges::mismatch(part.names, first.names);
  if (value.in1 != part.names.end()) refuse(part, "a value", *value.in1, first, *value.in2);
  if (part.statistics == first.statistics) return;
  throw UsageError(fmt::format("{}: has other statistics of a draw than {}, expected the same",
                               part.path, first.path));
}

/// Ranges that follow each other become one.
std::vector<ChainRange> ranges_together(const std::vector<RunPart>& parts) {
  std::vector<ChainRange> all;
  for (const RunPart& part : parts) {
    const std::vector<ChainRange> ranges = chain_ranges(part.facts);
    if (ranges.empty()) return {};
    for (const ChainRange& range : ranges) {
      const bool follows = !all.empty() && all.back().seed == range.seed &&
                           all.back().first + all.back().count == range.first;
      if (follows) {
        all.back().count += range.count;
      } else {
        all.push_back(range);
      }
    }
  }
  return all;
}

/// The stages of the longest warm-up with the gradients of all; none where they have other names.
std::vector<StageFacts> stages_together(const std::vector<RunPart>& parts) {
  const auto longest =
      std::ranges::max_element(parts, {}, [](const RunPart& part) { return part.facts.warmup; });
  std::vector<StageFacts> stages = longest->facts.stages;
  for (StageFacts& stage : stages) {
    stage.gradients = 0;
    stage.gradients_before = 0;
    stage.notes.clear();  // what one part's meetings found is not true of the others
  }
  for (const RunPart& part : parts) {
    if (part.facts.stages.size() != stages.size()) return {};
    for (std::size_t s = 0; s < stages.size(); ++s) {
      if (part.facts.stages[s].name != stages[s].name) return {};
      stages[s].gradients += part.facts.stages[s].gradients;
      stages[s].gradients_before += part.facts.stages[s].gradients_before;
    }
  }
  return stages;
}

Index fewest_draws(const std::vector<RunPart>& parts) {
  return std::ranges::min_element(parts, {}, [](const RunPart& p) { return p.facts.draws; })
      ->facts.draws;
}

PartData data_of(const std::string& path) {
  return {path, NetcdfStream(path).data()};
}

/// One after the other: data may be large.
void require_same_data(const std::vector<std::string>& paths) {
  const PartData first = data_of(paths.front());
  for (std::size_t p = 1; p < paths.size(); ++p) require_same_data(data_of(paths[p]), first);
}

/// Bit by bit: missing values, NaN, are the same, too.
bool are_same(const std::vector<NamedArray>& a, const std::vector<NamedArray>& b) {
  return std::ranges::equal(a, b, [](const NamedArray& x, const NamedArray& y) {
    const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    return x.name == y.name && x.shape == y.shape &&
           std::ranges::equal(x.values, y.values, {}, bits, bits);
  });
}

RunPart part_of(const std::string& path, const Draws& draws) {
  RunPart part{path, draws.facts, draws.names, draws.statistics};
  part.facts.chains = static_cast<Index>(draws.chains.size());
  part.facts.draws = draws.draws();
  return part;
}

}  // namespace

void require_same_kind(const std::vector<RunPart>& parts) {
  for (const RunPart& part : parts) require_kind(part, parts.front());
}

void require_other_chains(const std::vector<RunPart>& parts) {
  std::map<std::pair<std::uint64_t, Index>, std::string> seen;
  for (const RunPart& part : parts) {
    for (const ChainRange& range : chain_ranges(part.facts)) {
      for (Index c = range.first; c < range.first + range.count; ++c) {
        const auto [other, is_new] = seen.emplace(std::pair(range.seed, c), part.path);
        if (is_new) continue;
        throw UsageError(
            fmt::format("{} and {} both hold chain {} of seed {}, expected different chains: "
                        "`chain-offset`, or seeds of their own",
                        other->second, part.path, c + 1, range.seed));
      }
    }
  }
}

void require_same_data(const PartData& part, const PartData& first) {
  if (are_same(part.data.constant, first.data.constant) &&
      are_same(part.data.observed, first.data.observed)) {
    return;
  }
  throw UsageError(
      fmt::format("{}: the data of the target are others than in {}, expected the same", part.path,
                  first.path));
}

std::vector<std::size_t> in_order_of_chains(const std::vector<RunPart>& parts) {
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto is_known = [](const RunPart& part) { return !chain_ranges(part.facts).empty(); };
  if (!std::ranges::all_of(parts, is_known)) return order;
  std::ranges::stable_sort(order, {}, [&](std::size_t p) {
    const ChainRange first = chain_ranges(parts[p].facts).front();
    return std::pair(first.seed, first.first);
  });
  return order;
}

RunFacts facts_together(const std::vector<RunPart>& parts) {
  RunFacts all = parts.front().facts;
  static_cast<MeasuredFacts&>(all) = {};
  all.draws = fewest_draws(parts);
  all.chains = 0;
  all.stopped_by = parts.front().facts.stopped_by;
  for (const RunPart& part : parts) {
    const RunFacts& f = part.facts;
    all.chains += f.chains;
    all.warmup = std::max(all.warmup, f.warmup);
    all.draws_asked = std::max(all.draws_asked, f.draws_asked);
    const Cost<double> longest = {std::max(all.seconds.warmup, f.seconds.warmup),
                                  std::max(all.seconds.sampling, f.seconds.sampling)};
    all.add_costs(f);
    all.seconds = longest;
    all.accept_rate += f.accept_rate * static_cast<double>(f.chains);
    if (f.stopped_by != all.stopped_by) all.stopped_by.clear();
  }
  all.accept_rate /= static_cast<double>(all.chains);
  all.stages = stages_together(parts);
  all.origins = ranges_together(parts);
  if (all.origins.size() == 1) {
    all.seed = all.origins.front().seed;
    all.chain_offset = all.origins.front().first;
    all.origins.clear();
  }
  return all;
}

std::vector<std::string> cut_warnings(const std::vector<RunPart>& parts) {
  const auto text = [](Index count) { return grouped(static_cast<std::uint64_t>(count)); };
  const Index fewest = fewest_draws(parts);
  std::vector<std::string> warnings;
  for (const RunPart& part : parts) {
    if (part.facts.draws == fewest) continue;
    warnings.push_back(fmt::format("{}: {} draws per chain, cut to the {} of the shortest",
                                   part.path, text(part.facts.draws), text(fewest)));
  }
  return warnings;
}

ReadResult taken_as_one(const std::vector<std::string>& paths, std::vector<ReadResult> read) {
  std::vector<RunPart> given;
  for (std::size_t i = 0; i < read.size(); ++i) given.push_back(part_of(paths[i], read[i].draws));
  require_same_kind(given);
  require_same_data(paths);
  std::vector<RunPart> parts;
  std::vector<Draws> draws;
  ReadResult all;
  for (const std::size_t p : in_order_of_chains(given)) {
    parts.push_back(given[p]);
    draws.push_back(std::move(read[p].draws));
    all.warnings.insert(all.warnings.end(), read[p].warnings.begin(), read[p].warnings.end());
  }
  for (std::string& warning : cut_warnings(parts)) all.warnings.push_back(std::move(warning));
  all.draws.names = parts.front().names;
  all.draws.statistics = parts.front().statistics;
  all.draws.facts = facts_together(parts);
  bool all_learnt = true;
  for (Draws& part : draws) {
    for (Chain& chain : part.chains) {
      chain.draws.conservativeResize(all.draws.facts.draws, Eigen::NoChange);
      chain.statistics.conservativeResize(all.draws.facts.draws, Eigen::NoChange);
      all.draws.chains.push_back(std::move(chain));
    }
    all_learnt = all_learnt && !part.learnt.empty();
    for (Learnt& learnt : part.learnt) all.draws.learnt.push_back(std::move(learnt));
  }
  if (!all_learnt) all.draws.learnt.clear();
  return all;
}

bool are_parts_of_one_run(const std::vector<std::string>& paths) {
  std::vector<RunPart> parts;
  for (const std::string& path : paths) {
    const NetcdfStream stream(path);
    parts.push_back({path, stream.facts(), stream.names(), stream.statistics()});
  }
  std::set<std::uint64_t> seeds;
  for (const RunPart& part : parts) {
    const std::vector<ChainRange> ranges = chain_ranges(part.facts);
    if (ranges.empty()) return false;
    for (const ChainRange& range : ranges) seeds.insert(range.seed);
  }
  try {
    require_same_kind(parts);
    require_other_chains(parts);
    require_same_data(data_of(paths.back()), data_of(paths.front()));
  } catch (const UsageError&) {
    return false;
  }
  return seeds.size() == 1;
}

}  // namespace gadwall::files
