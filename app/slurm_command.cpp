// slurm: a batch script that runs `sample` on a cluster, with MPI or as an array of jobs.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "gadwall/error.hpp"
#include "numbers.hpp"
#include "output.hpp"
#include "run_arguments.hpp"

namespace gadwall::app {
namespace {

constexpr const char* kSlurmFooter =
    R"(Prints a script for sbatch. Without --array one run goes over the nodes by MPI; with it every job of an
array does some chains of the run without MPI, --chain-offset apart; a line of the script says how to
merge them. Two minutes before its time is over a job gets SIGUSR1, leaves a checkpoint and is queued again; it then goes on where it stopped. What a site wants beside (accounts, modules) goes into the
script by hand.

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

/// `sample` with options that are right, before they wait in a queue.
RunArguments checked(const std::vector<std::string>& words) {
  if (words.empty() || words.front() != "sample") {
    throw UsageError(fmt::format("the command is '{}', expected sample ... after --",
                                 words.empty() ? "" : words.front()));
  }
  CLI::App parser;
  RunArguments arguments;
  add_run_arguments(&parser, arguments);
  try {
    parser.parse(std::vector<std::string>(words.rbegin(), words.rend() - 1));
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("sample: {}; see gadwall sample --help", error.what()));
  }
  session::sampler_settings(arguments);
  return arguments;
}

std::string directives(const SlurmArguments& a, const std::string& name) {
  std::string text = fmt::format("#!/bin/bash\n#SBATCH --job-name={}\n",
                                 shell_word(std::filesystem::path(name).filename().string()));
  if (a.array) {
    text +=
        fmt::format("#SBATCH --array=0-{}\n#SBATCH --nodes=1\n#SBATCH --ntasks=1\n", *a.array - 1);
  } else {
    text += fmt::format("#SBATCH --nodes={}\n#SBATCH --ntasks-per-node={}\n", a.nodes, a.tasks);
  }
  if (a.processors) text += fmt::format("#SBATCH --cpus-per-task={}\n", *a.processors);
  text += fmt::format("#SBATCH --time={}\n", shell_word(a.time));
  if (!a.partition.empty())
    text += fmt::format("#SBATCH --partition={}\n", shell_word(a.partition));
  return text +
         "#SBATCH --signal=USR1@120\n"
         "#SBATCH --requeue\n"
         "#SBATCH --open-mode=append\n\n";
}

/// From its checkpoint where the job was here before; 138 is SIGUSR1.
constexpr const char* kGoOn = R"(if [[ -e $run.checkpoint ]]; then
  srun --kill-on-bad-exit=1 gadwall resume "$run"
else
  srun --kill-on-bad-exit=1 gadwall {} --out "$run"
fi
code=$?
[[ $code -ne 138 ]] || scontrol requeue "{}"
exit "$code"
)";

std::string script(const SlurmArguments& a) {
  const RunArguments arguments = checked(a.words);
  const std::string name = without_ending(arguments.out.value_or("gadwall-run"));
  const std::vector<std::string> words = without_option(a.words, "--out");
  std::string text = directives(a, name);
  if (!a.array) {
    return text + fmt::format("run={}\n", shell_word(name)) +
           fmt::format(fmt::runtime(kGoOn), in_shell_words(words), "$SLURM_JOB_ID");
  }
  const Index chains = session::planned_chains(arguments);
  const std::string job = "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}";
  text += fmt::format(
      "# Chains {0} k, {0} k + 1, ... of the run in job k. When all are done:\n"
      "#   gadwall merge {1}-part{{0..{2}}} --out {1}\n",
      chains, shell_word(name), *a.array - 1);
  text += fmt::format("run={}-part$SLURM_ARRAY_TASK_ID\n", shell_word(name));
  text += fmt::format("offset=$(( {} + SLURM_ARRAY_TASK_ID * {} ))\n", arguments.run.chain_offset,
                      chains);
  const std::string sample =
      in_shell_words(without_option(words, "--chain-offset")) + " --chain-offset \"$offset\"";
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
