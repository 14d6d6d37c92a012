// merge: the runs of several jobs or machines as one.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "gadwall/error.hpp"
#include "gadwall/files.hpp"
#include "messages.hpp"
#include "output.hpp"
#include "text/text_table.hpp"

namespace gadwall::app {
namespace {

constexpr const char* kMergeFooter =
    R"(Makes OUT.nc of runs of one target by one sampler with the same settings: the parts of a run that
were given --chain-offset, or runs with seeds of their own. Chains come in the order of their seeds and
numbers; where some runs have more draws, all are cut to the shortest. A chain that comes twice, by its
seed and number or by its draws, is refused. summary, diagnose and report take several runs as they are.

Examples:
  gadwall sample neal100 --chains 2 --out part1
  gadwall sample neal100 --chains 2 --chain-offset 2 --out part2
  gadwall merge part1 part2 --out all)";

struct MergeArguments {
  std::vector<std::string> words;  // of the command, without the program
  std::vector<std::string> runs;
  std::string out;
  bool force = false;
};

int run_merge(const MergeArguments& a) {
  if (a.out.empty()) throw UsageError("--out is '', expected a name for the files");
  const files::MergedRun merged =
      files::merge_runs(a.runs, without_ending(a.out), a.force, shell_line(a.words));
  warn(merged.warnings);
  fmt::print("draws: {} (gadwall summary {})\n", printable(merged.path),
             shell_word(without_ending(a.out)));
  return kSuccess;
}

}  // namespace

Command add_merge(CLI::App& app, const std::vector<std::string>& words) {
  const auto a = std::make_shared<MergeArguments>();
  a->words = words;
  CLI::App* parser = app.add_subcommand("merge", "One run of several: of jobs, of machines");
  parser->add_option("RUN", a->runs, "the runs: NAME or NAME.nc")->required();
  parser->add_option("--out", a->out, "name of the merged run")->required();
  parser->add_flag("--force", a->force, "overwrite files that exist");
  parser->footer(kMergeFooter);
  return {parser, [a] { return run_merge(*a); }};
}

}  // namespace gadwall::app
