// The facts of a run as attributes of the root group.
#include "files/netcdf_facts.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "files/chain_origins.hpp"
#include "gadwall/catalog.hpp"

namespace gadwall::files {
namespace {

const std::string kOrigins = "chain_origins";
const std::string kSetting = "setting:";
const std::string kTargetSetting = "target_setting:";

/// Calls visit(name, field) for every number of the facts: one list for writing and reading.
template <class Facts, class Visit>
void visit_numbers(Facts& facts, Visit visit) {
  visit("chains", facts.chains);
  visit("lanes", facts.lanes);
  visit("tuning_steps", facts.warmup);
  visit("draws", facts.draws);
  visit("draws_asked", facts.draws_asked);
  visit("thin", facts.thin);
  visit("chain_offset", facts.chain_offset);
  visit("parameters", facts.parameters);
  visit_costs(facts, visit);
  visit("acceptance_rate", facts.accept_rate);
  visit("divergences", facts.divergences);
  visit("bad_points", facts.bad_points);
}

template <class Facts, class Visit>
void visit_texts(Facts& facts, Visit visit) {
  visit("target", facts.target);
  visit("statement", facts.statement);
  visit("sampler", facts.sampler);
  visit("stan_engine", facts.stan_engine);
  visit("command", facts.command);
  visit("stopped_by", facts.stopped_by);
}

/// Files of earlier versions do not say it.
std::string engine_of(const std::string& sampler) {
  const auto row = std::ranges::find(samplers(), sampler, &SamplerRow::name);
  return row != samplers().end() ? row->stan_engine : "";
}

}  // namespace

void write_origin(hid_t group) {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  write_attribute(group, "created_at", fmt::format("{:%FT%T}+00:00", fmt::gmtime(now)));
  write_attribute(group, "inference_library", std::string("gadwall"));
  write_attribute(group, "inference_library_version", std::string(GADWALL_VERSION));
}

Hdf5Id own_group(hid_t root) {
  if (!has_link(root, kOwnGroup)) return create_group(root, kOwnGroup);
  return {H5Gopen2(root, kOwnGroup, H5P_DEFAULT), kOwnGroup};
}

void write_facts(hid_t root, const RunFacts& facts, bool finished) {
  visit_texts(
      facts, [&](const char* name, const std::string& text) { write_attribute(root, name, text); });
  visit_numbers(facts, [&](const char* name, auto value) {
    if constexpr (std::is_floating_point_v<decltype(value)>) {
      write_attribute(root, name, value);
    } else {
      write_attribute(root, name, static_cast<std::int64_t>(value));
    }
  });
  write_attribute(root, "seed", std::to_string(facts.seed));  // 64 bits, which not all tools read
  if (!facts.origins.empty()) write_attribute(root, kOrigins, to_text(facts.origins));
  for (const auto& [name, value] : facts.settings) write_attribute(root, kSetting + name, value);
  for (const auto& [name, value] : facts.target_settings) {
    write_attribute(root, kTargetSetting + name, value);
  }
  write_attribute(root, "finished", static_cast<std::int64_t>(finished));
}

RunFacts read_facts(hid_t root) {
  RunFacts facts;
  visit_texts(facts, [&](const char* name, std::string& text) {
    text = read_text(root, name).value_or("");
  });
  visit_numbers(facts, [&](const char* name, auto& value) {
    using Number = std::remove_reference_t<decltype(value)>;
    value = static_cast<Number>(read_number(root, name).value_or(static_cast<double>(value)));
  });
  if (!read_text(root, "stan_engine")) facts.stan_engine = engine_of(facts.sampler);
  facts.stages = read_stages(root);
  // Files of earlier versions say it only before the end of the run, as `draws`.
  if (facts.draws_asked == 0 && !is_finished(root)) facts.draws_asked = facts.draws;
  const std::string seed = read_text(root, "seed").value_or("");
  std::from_chars(seed.data(), seed.data() + seed.size(), facts.seed);
  facts.origins = ranges_from_text(read_text(root, kOrigins).value_or(""));
  for (const std::string& name : attribute_names(root)) {
    for (auto [prefix, settings] : {std::pair(&kSetting, &facts.settings),
                                    std::pair(&kTargetSetting, &facts.target_settings)}) {
      if (!name.starts_with(*prefix)) continue;
      settings->emplace(name.substr(prefix->size()), read_text(root, name).value_or(""));
    }
  }
  return facts;
}

bool is_finished(hid_t root) {
  return read_number(root, "finished").value_or(1) != 0;
}

}  // namespace gadwall::files
