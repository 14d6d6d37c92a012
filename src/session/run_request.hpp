// What a run is told in words, whatever the interface: a command line, Python, R. One table has the
// words; the plan follows from them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gadwall/run.hpp"
#include "gadwall/sample.hpp"

namespace gadwall::session {

struct RunRequest {
  std::string sampler = SampleOptions{}.sampler;
  RunOptions run;
  std::optional<Index> chains;                  // default: the sampler's, or as many as lanes
  std::optional<int> threads;                   // default: the processor's cores
  std::map<std::string, std::string> settings;  // the sampler options given, by name
  std::string save;                             // names of the values to keep
  std::string start;                            // a law, a radius, a JSON file, or a run
  std::string tuning;                           // a run or file whose tuning is the first
  std::string title;                            // of the target; one the tuning knows is compared
  bool goes_on = false;                         // a run that was begun before
};

/// A word that every run takes.
struct RequestOption {
  std::string name;  // with hyphens: "max-time"
  std::string kind;  // of its value, for people: "N", "ess=N"; empty: a switch, "true" or "false"
  std::string help;
  std::function<void(RunRequest&, const std::string&)> set;  // UsageError where the value is none
};

const std::vector<RequestOption>& request_options();

/// It must be in the table.
const RequestOption& request_option(const std::string& name);

/// Each option of the samplers once, in the order of the catalogue; choices of all that have it.
std::vector<OptionInfo> all_sampler_options();

/// The samplers that have the option, with commas between.
std::string samplers_with(const std::string& option);

/// Sets one word, of the table or of a sampler; false where there is none of that name.
bool set_word(RunRequest& request, const std::string& name, const std::string& value);

/// "true", "yes" or "1"; "false", "no" or "0"; else a UsageError.
bool switch_from_text(const std::string& option, const std::string& text);

/// The settings of the sampler, checked.
Settings sampler_settings(const RunRequest& request);

/// How many there will be.
Index planned_chains(const RunRequest& request);

/// UsageError where something does not fit.
RunPlan make_plan(const RunRequest& request, std::shared_ptr<const Target> target);

}  // namespace gadwall::session
