// The configuration and the closing block of a Stan CSV file, as CmdStan 2.36 writes them.
//
// Every line here is one that some reader wants; docs/file-formats.md says which. Three rules:
// - Flags are 0 and 1, not false and true: rstan 2.21 and ArviZ turn them into integers.
// - Keys of our own start with gadwall_ and stand above `method`: where a key occurs twice rstan
//   takes the first and the others the last, and cmdstanpy takes any key that ends in `metric`.
// - Below the times no line holds "(Warm-up)" or "(Sampling)": cmdstanr would read it as a time.
#include "files/stan_csv_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <iterator>
#include <set>

#include "gadwall/error.hpp"
#include "run/file_groups.hpp"

namespace gadwall::files {
namespace {

bool has_control_characters(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

bool is_number(const std::string& text) {
  double value = 0;
  const char* const last = text.data() + text.size();
  return std::from_chars(text.data(), last, value).ptr == last;
}

void check_name(const std::string& name) {
  const char* wrong = name.empty()                                     ? "is empty"
                      : name.find(',') != std::string::npos            ? "holds a comma"
                      : name.find_first_of("\"'") != std::string::npos ? "holds a quote"
                      : name.find('#') != std::string::npos            ? "holds a #"
                      : has_control_characters(name)                   ? "holds a control character"
                      : name.front() == ' ' || name.back() == ' '      ? "starts or ends in a space"
                      : name.ends_with("__")                           ? "ends in __"
                      : is_number(name)                                ? "is a number"
                                                                       : nullptr;
  if (wrong != nullptr) {
    throw UsageError(
        fmt::format("parameter name {:?} {}: a Stan CSV file cannot hold it; rename the parameter",
                    name, wrong));
  }
}

std::string_view stan_metric(Metric metric) {
  return metric == Metric::unit ? "unit_e" : metric == Metric::diag ? "diag_e" : "dense_e";
}

/// Collects `# key = value` lines; depth is the number of blocks around the key.
class Lines {
 public:
  explicit Lines(const StanCsvHeader& header) : header_(header) {}

  void block(int depth, std::string_view name) {
    fmt::format_to(std::back_inserter(text_), "# {:{}}{}\n", "", 2 * depth, name);
  }

  template <class T>
  void value(int depth, std::string_view key, const T& value) {
    fmt::format_to(std::back_inserter(text_), "# {:{}}{} = {}\n", "", 2 * depth, key, value);
  }

  /// Those of the keys that have a value.
  void settings(int depth, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
      const std::string* found = find(key);
      if (found != nullptr) value(depth, key, *found);
    }
  }

  const std::string* find(std::string_view key) const {
    const auto found = header_.stan_settings.find(std::string(key));
    return found != header_.stan_settings.end() ? &found->second : nullptr;
  }

  std::string take() { return std::move(text_); }

 private:
  const StanCsvHeader& header_;
  std::string text_;
};

void add_own_block(Lines& lines, const StanCsvHeader& header) {
  lines.block(0, "gadwall");
  lines.value(1, "gadwall_version", GADWALL_VERSION);
  lines.value(1, "gadwall_sampler", header.facts.sampler);
  lines.value(1, "gadwall_lanes", header.facts.lanes);
  if (header.facts.parameters > 0) {
    lines.value(1, "gadwall_parameters", header.facts.parameters);
  }
  if (!header.facts.groups.empty()) {
    lines.value(1, "gadwall_groups", gadwall::to_text(header.facts.groups));
  }
  lines.value(1, "gadwall_draws", std::max(header.facts.draws, header.facts.draws_asked));
  if (!header.facts.stopped_by.empty()) {
    lines.value(1, "gadwall_stopped_by", header.facts.stopped_by);
  }
  for (const auto& [key, value] : header.facts.settings) lines.value(1, "gadwall_" + key, value);
}

/// cmdstanpy opens no file without max_depth. Where there are no trees it is 10, a depth that no
/// draw has, so that none counts as cut off.
void add_max_depth(Lines& lines, int depth) {
  const std::string* given = lines.find("max_depth");
  lines.value(depth, "max_depth", given != nullptr ? *given : "10");
}

/// A sampler that CmdStan does not have is a Metropolis algorithm, which is what rstan calls `rwm`.
void add_algorithm(Lines& lines, const StanCsvHeader& header) {
  const std::string& engine = header.facts.stan_engine;
  if (!engine.empty()) {
    lines.value(2, "algorithm", "hmc");
    lines.block(3, "hmc");
    lines.value(4, "engine", engine);
    lines.block(5, engine);
    lines.settings(6, {"int_time"});
    add_max_depth(lines, 6);
  } else {
    lines.value(2, "algorithm", "rwm");
    lines.block(3, "rwm");
    add_max_depth(lines, 4);
  }
  lines.value(4, "metric", stan_metric(header.metric));
  lines.settings(4, {"stepsize"});
  lines.value(4, "stepsize_jitter", "0 (Default)");
}

void add_sample_block(Lines& lines, const StanCsvHeader& header) {
  const RunFacts& facts = header.facts;
  lines.value(0, "method", "sample (Default)");
  lines.block(1, "sample");
  lines.value(2, "num_samples", facts.draws * facts.thin);  // CmdStan counts iterations
  lines.value(2, "num_warmup", facts.warmup);
  lines.value(2, "save_warmup", header.save_warmup ? "1" : "0 (Default)");
  lines.value(2, "thin", facts.thin == 1 ? "1 (Default)" : std::to_string(facts.thin));
  lines.block(2, "adapt");
  lines.value(3, "engaged", facts.warmup > 0 ? "1 (Default)" : "0");
  lines.settings(3, {"gamma", "delta", "kappa", "t0", "init_buffer", "term_buffer", "window"});
  add_algorithm(lines, header);
  lines.value(2, "num_chains", facts.chains);
}

/// Shortest digits without an exponent, which no reader of elapsed times understands.
std::string seconds_text(double seconds) {
  char text[512];
  const auto end = std::to_chars(text, text + sizeof text, seconds, std::chars_format::fixed).ptr;
  return std::string(text, end);
}

}  // namespace

void check_stan_csv_header(const StanCsvHeader& header) {
  std::set<std::string_view> seen;
  for (const Statistic& statistic : header.statistics) {
    if (statistic.stan.ends_with("__"))
      check_name(statistic.stan.substr(0, statistic.stan.size() - 2));
  }
  for (const std::string& name : header.names) {
    check_name(name);
    if (!seen.insert(name).second) {
      throw UsageError(fmt::format("two parameters are named '{}'; rename one of them", name));
    }
  }
  for (const auto& [key, value] : header.facts.settings) {
    if (key.empty() || key.find_first_of(" =#") != std::string::npos ||
        has_control_characters(key) || has_control_characters(value)) {
      throw UsageError(fmt::format(
          "setting {:?} = {:?} does not fit in one comment line of a Stan CSV file", key, value));
    }
  }
  for (const std::string& text : {header.facts.target, header.facts.sampler}) {
    if (has_control_characters(text)) {
      throw UsageError(fmt::format("the name {:?} holds a control character", text));
    }
  }
}

std::string stan_csv_configuration(const StanCsvHeader& header) {
  Lines lines(header);
  lines.value(0, "stan_version_major", 2);
  lines.value(0, "stan_version_minor", 36);
  lines.value(0, "stan_version_patch", 0);
  lines.value(0, "model", header.facts.target);
  lines.value(0, "start_datetime", header.start_datetime);
  add_own_block(lines, header);
  add_sample_block(lines, header);
  lines.value(0, "id", header.chain);
  lines.block(0, "data");
  lines.value(1, "file", " (Default)");
  lines.block(0, "random");
  lines.value(1, "seed", header.facts.seed);
  lines.block(0, "output");
  lines.value(1, "file", header.file);
  lines.value(1, "diagnostic_file", " (Default)");
  lines.value(1, "sig_figs", header.significant_digits > 0 ? header.significant_digits : 17);
  std::string text = lines.take();
  for (const Statistic& statistic : header.statistics) text += statistic.stan + ',';
  text += fmt::format("{}\n", fmt::join(header.names, ","));
  return text;
}

std::string stan_csv_closing(const MeasuredFacts& chain, const Cost<double>& run_seconds) {
  return fmt::format(
      "# \n"
      "#  Elapsed Time: {} seconds (Warm-up)\n"
      "#                {} seconds (Sampling)\n"
      "#                {} seconds (Total)\n"
      "# \n"
      "#  Gradients: {} in warm-up, {} in sampling\n"
      "#  Densities: {} in warm-up, {} in sampling\n"
      "#  Bad points: {}\n"
      "#  Wall clock of the run: {} in warm-up, {} in sampling\n"
      "# \n",
      seconds_text(chain.seconds.warmup), seconds_text(chain.seconds.sampling),
      seconds_text(chain.seconds.total()), chain.gradients.warmup, chain.gradients.sampling,
      chain.densities.warmup, chain.densities.sampling, chain.bad_points,
      seconds_text(run_seconds.warmup), seconds_text(run_seconds.sampling));
}

}  // namespace gadwall::files
