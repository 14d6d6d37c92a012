// A run that all processes of a launch do together: what they make sure of before, and say after
// it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gadwall/run.hpp"
#include "run_arguments.hpp"

namespace gadwall::app {

/// By file: what identifies its content.
using Prints = std::map<std::string, std::string>;

/// UsageError in the first process where another was begun with other words, --threads aside.
void require_same_words(const std::vector<std::string>& words, Team& team);

/// The others wait until the first has its files; those for which there is no batch are left out.
void begin_together(const RunPlan& plan, const Prints& prints, Team& team);

/// That ended the run, whichever process it came to.
int signal_of_any();

/// Which process waited longest, and for whom.
void say_waiting(const RunArguments& a, const TeamFacts& team);

}  // namespace gadwall::app
