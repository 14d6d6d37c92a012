// What the comment lines of a Stan CSV file say: `key = value` and the closing block.
#include <algorithm>
#include <charconv>
#include <limits>

#include "files/stan_csv_file.hpp"
#include "gadwall/catalog.hpp"
#include "gadwall/error.hpp"
#include "run/file_groups.hpp"

namespace gadwall::files {
namespace {

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The number at the start of the text; 0 where there is none.
template <class T>
T leading_number(std::string_view text) {
  T value{};
  const auto first = text.find_first_not_of(' ');
  if (first != std::string_view::npos) {
    std::from_chars(text.data() + first, text.data() + text.size(), value);
  }
  return value;
}

/// "20000 in warm-up, 40000 in sampling"
template <class T>
void read_phases(std::string_view text, Cost<T>& cost) {
  cost.warmup = leading_number<T>(text);
  const auto comma = text.find(',');
  if (comma != std::string_view::npos) cost.sampling = leading_number<T>(text.substr(comma + 1));
}

/// Moves past the prefix if the text starts with it.
bool skip(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// None where a comment says something else.
FileGroups groups_said(const std::string& text) {
  try {
    return text.empty() ? FileGroups{} : file_groups_from_text(text);
  } catch (const UsageError&) {
    return {};
  }
}

}  // namespace

void StanCsvComments::read(std::string_view line) {
  const auto start = line.find_first_not_of("# \t");
  if (start == std::string_view::npos) return;
  line = trim(line.substr(start));
  if (line == "Adaptation terminated") adapted_ = true;
  const auto equals = line.find('=');
  if (equals == std::string_view::npos || closed_) return read_closing(line);
  std::string_view value = trim(line.substr(equals + 1));
  constexpr std::string_view mark = "(Default)";
  if (value.ends_with(mark)) value = trim(value.substr(0, value.size() - mark.size()));
  values_.emplace(trim(line.substr(0, equals)), value);  // where a key occurs twice, the first
}

void StanCsvComments::read_closing(std::string_view line) {
  if (skip(line, "Elapsed Time:")) closed_ = true;
  if (!closed_) return;
  if (line.ends_with("seconds (Warm-up)")) {
    costs_.seconds.warmup = leading_number<double>(line);
  } else if (line.ends_with("seconds (Sampling)")) {
    costs_.seconds.sampling = leading_number<double>(line);
  } else if (skip(line, "Gradients:")) {
    read_phases(line, costs_.gradients);
  } else if (skip(line, "Densities:")) {
    read_phases(line, costs_.densities);
  } else if (skip(line, "Bad points:")) {
    costs_.bad_points = leading_number<std::uint64_t>(line);
  } else if (skip(line, "Wall clock of the run:")) {
    read_phases(line, costs_.seconds);
  }
}

std::string_view StanCsvComments::text(std::initializer_list<std::string_view> keys) const {
  for (const std::string_view key : keys) {
    const auto found = values_.find(key);
    if (found != values_.end()) return found->second;
  }
  return {};
}

std::optional<std::uint64_t> StanCsvComments::number(
    std::initializer_list<std::string_view> keys) const {
  const std::string_view value = text(keys);
  if (value == "true") return 1;
  if (value == "false") return 0;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) return std::nullopt;
  return number;
}

Index StanCsvComments::count(std::initializer_list<std::string_view> keys, Index otherwise) const {
  constexpr std::uint64_t most = std::numeric_limits<Index>::max();
  return static_cast<Index>(
      std::min(number(keys).value_or(static_cast<std::uint64_t>(otherwise)), most));
}

bool StanCsvComments::by_known_sampler() const {
  return !text({"gadwall_version", "stan_version_major", "method", "engine", "sampler_t",
                "algorithm"})
              .empty();
}

Index StanCsvComments::announced_warmup_rows() const {
  if (count({"save_warmup"}, 0) == 0) return 0;
  const Index thin = std::max<Index>(count({"thin"}, 1), 1);
  const Index warmup = count({"num_warmup", "warmup"}, 0);
  return warmup / thin + (warmup % thin != 0 ? 1 : 0);
}

/// As CmdStan calls it.
std::string StanCsvComments::engine() const {
  const std::string_view name = text({"engine", "sampler_t", "algorithm"});
  if (name.starts_with("NUTS")) return "nuts";  // rstan: NUTS(diag_e)
  if (name.starts_with("HMC")) return "static";
  return std::string(name);
}

RunFacts StanCsvComments::facts() const {
  RunFacts facts;
  static_cast<MeasuredFacts&>(facts) = costs_;
  std::string_view model = text({"model"});
  constexpr std::string_view suffix = "_model";  // CmdStan appends it to the name of the program
  if (!written_by_gadwall() && model.ends_with(suffix)) model.remove_suffix(suffix.size());
  facts.target = model;
  const auto row = std::ranges::find(samplers(), engine(), &SamplerRow::stan_engine);
  const bool known = !engine().empty() && row != samplers().end();
  if (known) facts.stan_engine = engine();
  facts.sampler = written_by_gadwall() ? std::string(text({"gadwall_sampler"}))
                  : known              ? row->name
                                       : engine();
  facts.lanes = count({"gadwall_lanes"}, 1);
  facts.parameters = count({"gadwall_parameters"}, 0);
  facts.groups = groups_said(std::string(text({"gadwall_groups"})));
  facts.thin = std::max<Index>(1, count({"thin"}, 1));
  facts.warmup = count({"num_warmup", "warmup"}, 0);
  facts.seed = number({"seed"}).value_or(0);
  facts.draws_asked = count({"gadwall_draws"}, 0);
  facts.stopped_by = text({"gadwall_stopped_by"});
  constexpr std::string_view ours = "gadwall_";
  for (const auto& [key, value] : values_) {
    if (key.starts_with(ours)) facts.settings.emplace(key.substr(ours.size()), value);
  }
  for (const char* fact :
       {"version", "sampler", "lanes", "parameters", "groups", "draws", "stopped_by"}) {
    facts.settings.erase(fact);
  }
  return facts;
}

}  // namespace gadwall::files
