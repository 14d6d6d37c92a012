// resume: the words of `sample` from the checkpoint, and on from there.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "gadwall/error.hpp"
#include "io/read_run.hpp"
#include "messages.hpp"
#include "numbers.hpp"
#include "output.hpp"
#include "run_session.hpp"

namespace gadwall::app {
namespace {

constexpr const char* kFooter =
    R"(Goes on with a run that was interrupted, killed or out of time, from its last checkpoint. The draws
are byte for byte those of a run that was never stopped. The files the run reads (--data, ...) must
be where they were, seen from the directory in which resume is called, and unchanged.

Examples:
  gadwall resume neal100-gadmala
  gadwall resume german.nc --max-time 8h
  gadwall resume german --draws +5000          5000 more draws a chain, also of a finished run)";

struct Changes {
  std::string file;
  std::string draws;
  std::optional<int> threads;
  RunOptions end;  // until_ess and max_seconds
  bool json = false;
  bool quiet = false;
};

/// +N: so many more than there are; N: so many in all.
Index wanted_draws(const std::string& text, Index done) {
  constexpr std::uint64_t kMost = 1'000'000'000'000'000;
  const bool more = text.starts_with('+');
  const auto number =
      static_cast<Index>(whole_number("--draws", more ? text.substr(1) : text, {1, kMost}));
  const Index wanted = more ? done + number : number;
  if (wanted > done) return wanted;
  throw UsageError(
      fmt::format("--draws is {}, expected more than the {} draws there are; +N for N "
                  "more",
                  text, done));
}

void apply(const Changes& changes, const Checkpoint& from, RunArguments& a) {
  if (!changes.draws.empty()) {
    a.run.draws = wanted_draws(changes.draws, from.rows.draws);
    a.run.until_ess = 0;
  }
  if (changes.end.until_ess > 0) a.run.until_ess = changes.end.until_ess;
  if (changes.end.max_seconds > 0) a.run.max_seconds = changes.end.max_seconds;
  if (changes.threads) a.threads = changes.threads;
  a.json = changes.json;
  a.quiet = changes.quiet;
}

int run_resume(const Changes& changes) {
  Job job;
  job.name = run_name(changes.file);
  CheckpointFound found = read_checkpoint(job.name);
  if (!found.warning.empty()) warn({found.warning});
  job.from = std::move(found.checkpoint);
  job.words = job.from->arguments;
  if (job.from->build != build_identity()) {
    warn(
        {fmt::format("the run was begun by another build ({}): the draws to come are as good, but "
                     "may differ in the last bits from those it would have made",
                     job.from->build)});
  }
  const bool is_complete = job.from->stopped_by == "draws" || job.from->stopped_by == "ess";
  CLI::App parser;
  add_run_arguments(&parser, job.arguments);
  parser.parse(std::vector<std::string>(job.words.rbegin(), job.words.rend() - 1));  // last first
  apply(changes, *job.from, job.arguments);
  const int code = carry_out(job, parser);
  if (is_complete && changes.draws.empty() && changes.end.until_ess == 0 && !changes.quiet) {
    fmt::print(stderr, "The run was complete: {} draws a chain. --draws +N adds N to each.\n",
               job.from->rows.draws);
  }
  return code;
}

}  // namespace

Command add_resume(CLI::App& app) {
  const auto changes = std::make_shared<Changes>();
  CLI::App* parser = app.add_subcommand("resume", "Go on where a run stopped");
  parser->add_option("FILE", changes->file, "the run: NAME, NAME.nc or NAME_1.csv")->required();
  parser->add_option("--draws", changes->draws, "+N: N more draws a chain; N: so many in all")
      ->type_name("+N");
  add_end_arguments(parser, changes->end);
  add_whole(parser, "--threads", changes->threads, {1, 1'000'000}, "[as before]");
  parser->add_flag("--json", changes->json, "print the summary as one JSON object");
  parser->add_flag("--quiet", changes->quiet, "no progress and no summary");
  parser->footer(kFooter);
  return {parser, [changes] { return run_resume(*changes); }};
}

}  // namespace gadwall::app
