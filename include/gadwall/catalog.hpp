// The table of samplers.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "gadwall/sampler.hpp"

namespace gadwall {

const std::deque<SamplerRow>& samplers();

/// One more row, before any run: commands and files then know it like those that are built in.
/// UsageError where the name is taken.
void add_sampler(SamplerRow row);

/// UsageError with the nearest name where there is no such sampler.
const SamplerRow& find_sampler(const std::string& name);

/// The values a sampler begins with.
Settings defaults(const SamplerRow& row);
Settings defaults(const std::string& sampler);

/// UsageError that names the option, its value and what is allowed.
void check_settings(const SamplerRow& row, const Settings& settings);

/// What the sampler uses, by name, as text: the settings given, and its defaults.
std::map<std::string, std::string> used_settings(const SamplerRow& row, const Settings& given);

}  // namespace gadwall
