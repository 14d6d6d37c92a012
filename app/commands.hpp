// The commands of the program: each adds itself to the argument parser and says how to run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace gadwall::app {

// Exit codes, as documented in the help.
constexpr int kSuccess = 0;
constexpr int kFailed = 1;   // a run that failed; diagnose: draws that are not sound
constexpr int kUsage = 2;    // a user's mistake
constexpr int kNoDraws = 3;  // a run whose time was over before its first draw

/// Of a summary whose draws should not be relied on; run: the files, as they were given.
std::string not_sound_line(const std::vector<std::string>& run);

struct Command {
  CLI::App* parser;
  std::function<int()> run;
};

Command add_sample(CLI::App& app, const std::vector<std::string>& words);
Command add_resume(CLI::App& app, const std::vector<std::string>& words);
Command add_summary(CLI::App& app);
Command add_diagnose(CLI::App& app);
Command add_report(CLI::App& app);
Command add_export(CLI::App& app);
Command add_merge(CLI::App& app, const std::vector<std::string>& words);
Command add_slurm(CLI::App& app);
Command add_compile(CLI::App& app);
namespace reproduce {
Command add_command(CLI::App& app);
}
Command add_list(CLI::App& app);

}  // namespace gadwall::app
