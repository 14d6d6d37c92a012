// slurm: a batch script that runs `sample` on a cluster, with MPI or as an array of jobs.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "gadwall/error.hpp"
#include "launch.hpp"
#include "messages.hpp"
#include "numbers.hpp"
#include "output.hpp"
#include "run_arguments.hpp"
#include "target_arguments.hpp"

namespace gadwall::app {
namespace {

constexpr const char* kSlurmFooter =
    R"(Prints a script for sbatch. Without --array one run goes over the nodes by MPI; with it every job of an
array does some chains of the run without MPI, --chain-offset apart; a line of the script says how to
merge them. Two minutes before its time is over a job gets SIGUSR1, leaves a checkpoint and is queued
again; it then goes on where it stopped. What a site wants beside (accounts, modules, a directory
beside that of sbatch) goes into the script by hand.

Examples:
  gadwall slurm --nodes 4 -- sample model.stan --data data.json --chains 64 --out model > run.sh
  gadwall slurm --array 8 --time 2:00:00 -- sample neal100 --sampler nuts --chains 4 --out neal > array.sh
  sbatch run.sh)";

struct SlurmArguments {
  Index nodes = 1;
  Index tasks = 1;
  std::optional<Index> processors;
  std::optional<Index> array;
  std::string time = "1:00:00";
  std::string partition;
  std::vector<std::string> words;
};

/// The words without an option and its value, which the script sets itself.
std::vector<std::string> without_option(const std::vector<std::string>& words,
                                        const std::string& option) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == option) {
      ++i;
    } else if (!words[i].starts_with(option + "=")) {
      result.push_back(words[i]);
    }
  }
  return result;
}

std::string in_shell_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return text;
}

/// What the nodes need may be there alone.
void warn_of_missing(const TargetOptions& target) {
  std::error_code ignored;
  for (const std::string& file : {target.model, target.data, target.mean, target.covariance}) {
    if (file.empty() || std::filesystem::exists(file, ignored)) continue;
    warn(
        {fmt::format("{}: is not there, seen from this directory; the job will look for it in the "
                     "one it is begun in",
                     file)});
  }
}

/// A job of an array is one process.
void check_alone(const std::string& option, Index count) {
  if (count == 1) return;
  throw UsageError(
      fmt::format("{} is {}, expected 1 with --array: its jobs have one process each, without MPI",
                  option, count));
}

/// Every job has the chains after those of the one before.
void check_array(const RunArguments& arguments, Index jobs) {
  constexpr Index kMost = 1'000'000'000;  // of --chain-offset
  const Index chains = session::planned_chains(arguments);
  if (jobs > 1 && arguments.run.chain_offset > kMost - (jobs - 1) * chains) {
    throw UsageError(fmt::format(
        "--array {} of {} chains each goes beyond chain {}, expected fewer", jobs, chains, kMost));
  }
  if (arguments.save_tuning.empty()) return;
  throw UsageError(fmt::format(
      "--save-tuning {}: every job of the array would write it, expected a command without it",
      arguments.save_tuning));
}

/// `sample` with options that are right, before they wait in a queue.
RunArguments checked(const std::vector<std::string>& words) {
  if (words.empty() || words.front() != "sample") {
    throw UsageError(fmt::format("the command is '{}', expected sample ... after --",
                                 words.empty() ? "" : words.front()));
  }
  CLI::App parser;
  parser.set_help_flag();
  RunArguments arguments;
  add_run_arguments(&parser, arguments);
  try {
    parser.parse(std::vector<std::string>(words.rbegin(), words.rend() - 1));
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("sample: {}; see gadwall sample --help", error.what()));
  }
  check_target_options(parser, find_target(arguments.target));
  session::sampler_settings(arguments);
  warn_of_missing(arguments.target_options);
  return arguments;
}

/// A value in a line of directives or in a comment, where a new line would begin a command.
void check_line(const std::string& option, const std::string& text, const std::string& expected,
                bool (*is_allowed)(unsigned char)) {
  if (std::ranges::all_of(text, is_allowed)) return;
  throw UsageError(fmt::format("{} is '{}', expected {}", option, text, expected));
}

void check_lines(const SlurmArguments& a, const std::string& name) {
  check_line("--time", a.time, "minutes, hours:minutes:seconds or days-hours:minutes",
             [](unsigned char c) { return std::isalnum(c) != 0 || c == ':' || c == '-'; });
  check_line("--partition", a.partition, "names with commas between",
             [](unsigned char c) { return std::isgraph(c) != 0; });
  check_line("--out", name, "a name on one line", [](unsigned char c) { return c >= ' '; });
}

/// Slurm's own rules for quotes are not a shell's.
std::string job_name(const std::string& run) {
  std::string name = std::filesystem::path(run).filename().string();
  std::ranges::replace_if(
      name,
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '.' && c != '_'; },
      '_');
  return name;
}

std::string directives(const SlurmArguments& a, const std::string& name) {
  std::string text = fmt::format("#!/bin/bash\n#SBATCH --job-name={}\n", job_name(name));
  if (a.array) {
    text +=
        fmt::format("#SBATCH --array=0-{}\n#SBATCH --nodes=1\n#SBATCH --ntasks=1\n", *a.array - 1);
  } else {
    text += fmt::format("#SBATCH --nodes={}\n#SBATCH --ntasks-per-node={}\n", a.nodes, a.tasks);
  }
  if (a.processors) text += fmt::format("#SBATCH --cpus-per-task={}\n", *a.processors);
  text += fmt::format("#SBATCH --time={}\n", a.time);
  if (!a.partition.empty()) text += fmt::format("#SBATCH --partition={}\n", a.partition);
  return text +
         "#SBATCH --signal=USR1@120\n"
         "#SBATCH --requeue\n"
         "#SBATCH --open-mode=append\n\n";
}

/// srun, since Slurm 22.05, takes the processors of a process from a variable of its own.
constexpr const char* kProcessors =
    "[[ -z ${SLURM_CPUS_PER_TASK-} ]] || export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK\n";

/// Open MPI finds the other processes by PMIx, which few sites have as srun's default.
std::string launcher_text() {
  if (!mpi_version().starts_with("Open MPI")) return "";
  return "export SLURM_MPI_TYPE=${SLURM_MPI_TYPE:-pmix}\n";
}

/// From its checkpoint where the job was here before; 138 is SIGUSR1.
constexpr const char* kGoOn = R"(if [[ -e $run.checkpoint ]]; then
  srun --kill-on-bad-exit=1 gadwall resume "$run"
else
  srun --kill-on-bad-exit=1 gadwall sample --out "$run" {}
fi
code=$?
[[ $code -ne 138 ]] || scontrol requeue "{}"
exit "$code"
)";

std::string script(const SlurmArguments& a) {
  const RunArguments arguments = checked(a.words);
  if (a.array) {
    check_alone("--nodes", a.nodes);
    check_alone("--tasks-per-node", a.tasks);
    check_array(arguments, *a.array);
  }
  std::string name = wanted_name(arguments);
  if (name.starts_with('-')) name = "./" + name;  // which would be an option
  check_lines(a, name);
  const std::vector<std::string> given(a.words.begin() + 1, a.words.end());
  const std::vector<std::string> words = without_option(given, "--out");
  std::string text = directives(a, name) + kProcessors;
  if (!a.array) {
    return text + launcher_text() + fmt::format("run={}\n", shell_word(name)) +
           fmt::format(fmt::runtime(kGoOn), in_shell_words(words), "$SLURM_JOB_ID");
  }
  const Index chains = session::planned_chains(arguments);
  const std::string job = "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}";
  text += fmt::format(
      "# Chains {0} k + {3}, ... of the run in job k. When all are done:\n"
      "#   gadwall merge {1}-part{{0..{2}}} --out {1}\n",
      chains, shell_word(name), *a.array - 1, arguments.run.chain_offset + 1);
  text += fmt::format("run={}-part$SLURM_ARRAY_TASK_ID\n", shell_word(name));
  text += fmt::format("offset=$(( {} + SLURM_ARRAY_TASK_ID * {} ))\n", arguments.run.chain_offset,
                      chains);
  const std::string sample =
      "--chain-offset \"$offset\" " + in_shell_words(without_option(words, "--chain-offset"));
  return text + fmt::format(fmt::runtime(kGoOn), sample, job);
}

}  // namespace

Command add_slurm(CLI::App& app) {
  const auto a = std::make_shared<SlurmArguments>();
  CLI::App* parser = app.add_subcommand("slurm", "A script for a cluster's queue");
  add_whole(parser, "--nodes", a->nodes, {1, 1'000'000}, "machines [1]");
  add_whole(parser, "--tasks-per-node", a->tasks, {1, 1'000'000},
            "processes on each; their threads follow from the processors they get [1]");
  add_whole(parser, "--cpus-per-task", a->processors, {1, 1'000'000},
            "processors of each process [the site's default]");
  add_whole(parser, "--array", a->array, {1, 1'000'000},
            "so many jobs without MPI, each with the chains of the command");
  parser->add_option("--time", a->time, "as Slurm takes it [1:00:00]");
  parser->add_option("--partition", a->partition, "the queue [the site's default]");
  parser->add_option("COMMAND", a->words, "after --: sample and its options")->required();
  parser->footer(kSlurmFooter);
  return {parser, [a] {
            fmt::print("{}", script(*a));
            return kSuccess;
          }};
}

}  // namespace gadwall::app
