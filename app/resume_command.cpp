// resume: the words of `sample` from the checkpoint, and on from there.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "files/read_run.hpp"
#include "gadwall/error.hpp"
#include "launch.hpp"
#include "messages.hpp"
#include "numbers.hpp"
#include "output.hpp"
#include "run/packed.hpp"
#include "run_session.hpp"
#include "shared_session.hpp"
#include "text/number_text.hpp"

namespace gadwall::app {
namespace {

constexpr const char* kResumeFooter =
    R"(Goes on with a run that was interrupted, killed or out of time, from its last checkpoint. The draws
are byte for byte those of a run that was never stopped. The files the run reads (--data, ...) must
be where they were, seen from this directory or from the one in which the run was begun, and unchanged.
A run of several processes (mpirun, srun) goes on with any number of them, or in one.

Examples:
  gadwall resume neal100-gadmala
  gadwall resume german.nc --max-time 8h
  gadwall resume german --draws +5000          5000 more draws per chain, also of a finished run)";

using Words = std::vector<std::string>;

struct Changes {
  std::string file;
  std::string draws;
  std::optional<int> threads;
  RunRequest end;  // until_ess and max_seconds
  bool json = false;
  bool quiet = false;
  bool force = false;
};

bool is_complete(const files::Checkpoint& run) {
  return run.stopped_by == "draws" || run.stopped_by == "ess";
}

/// +N: so many more than there are; N: so many in all.
Index wanted_draws(const std::string& text, Index done) {
  constexpr std::uint64_t kMost = 1'000'000'000'000'000;
  const bool more = text.starts_with('+');
  const auto number =
      static_cast<Index>(more ? whole_number("--draws +N, N", text.substr(1), {1, kMost})
                              : whole_number("--draws", text, {1, kMost}));
  const Index wanted = more ? done + number : number;
  if (wanted > done) return wanted;
  throw UsageError(
      fmt::format("--draws is {}, expected more than the {} draws there are; +N for N "
                  "more",
                  text, done));
}

/// The words without an option and its value.
Words without(Words words, const std::string& option) {
  for (auto word = words.begin(); word != words.end();) {
    const bool joined = word->starts_with(option + "=");
    const bool apart = *word == option && word + 1 != words.end();
    word = joined || apart ? words.erase(word, word + (apart ? 2 : 1)) : word + 1;
  }
  return words;
}

Words with(Words words, const std::string& option, const std::string& value) {
  words = without(std::move(words), option);
  words.insert(words.begin() + 1, {option, value});  // after the command, before any --
  return words;
}

/// The words of `sample` that would have led here: a later resume goes on to the same end.
Words changed_words(const Changes& changes, const files::Checkpoint& from) {
  Words words = from.arguments;
  // What a run that has ended was to overwrite is overwritten; files that came later are others'.
  if (is_complete(from)) std::erase(words, "--force");
  if (!changes.draws.empty()) {
    const Index wanted = wanted_draws(changes.draws, from.rows.draws);
    words = without(with(std::move(words), "--draws", std::to_string(wanted)), "--until");
  }
  const double ess = changes.end.run.until_ess;
  if (ess > 0) words = with(std::move(words), "--until", fmt::format("ess={}", ess));
  return words;
}

void read_words(Job& job, CLI::App& parser, const Changes& changes) {
  RunArguments& a = job.arguments;
  add_run_arguments(&parser, a);
  parser.parse(Words(job.words.rbegin(), job.words.rend() - 1));  // the last first, no command
  if (changes.end.run.max_seconds > 0) a.run.max_seconds = changes.end.run.max_seconds;
  if (changes.threads) a.threads = changes.threads;
  a.json = changes.json;
  a.quiet = changes.quiet;
  a.force = a.force || changes.force;
}

/// A program of its own begins runs without words; only it has their target.
void require_command(const files::Checkpoint& from, const std::string& name) {
  if (!from.arguments.empty() && from.arguments.front() == "sample") return;
  throw UsageError(fmt::format(
      "{}: was not begun by gadwall sample, expected the program that began it to go on",
      files::checkpoint_path(name)));
}

/// Goes to the directory in which the run was begun where its files are not found from here; the
/// name of the run, as seen from there.
std::string go_where_it_began(const std::string& name) {
  namespace fs = std::filesystem;
  const auto header = files::checkpoint_header(name);
  if (!header || header->directory.empty()) return name;
  std::error_code ignored;
  const bool all_here = std::ranges::all_of(
      header->fingerprints, [&](const auto& file) { return fs::exists(file.first, ignored); });
  const fs::path own = fs::absolute(name).lexically_normal();
  const fs::path there = (own.parent_path() / header->directory).lexically_normal();
  if (all_here || !fs::is_directory(there, ignored)) return name;
  fs::current_path(there, ignored);
  return ignored ? name : own.string();
}

/// Its code runs as soon as it is loaded, and the checkpoint may have come from elsewhere.
void say_library(const RunArguments& a) {
  const std::string& model = a.target_options.model;
  const bool is_beside = !std::filesystem::path(model).has_parent_path();
  if (model.empty() || model.ends_with(".stan") || is_beside) return;
  note(fmt::format("gadwall: the run's target is in the library {}, which is loaded now\n", model));
}

/// The other processes get the words from the first, which alone has the run.
int help_resume(const Changes& changes) {
  std::vector<std::string> sent = unpack(processes().from_first(""));
  std::filesystem::current_path(sent.at(0));
  Job job;
  job.words.assign(sent.begin() + 1, sent.end());
  CLI::App parser;
  read_words(job, parser, changes);
  return carry_out(job, parser);
}

void send_words(Words words) {
  if (processes().size() == 1) return;
  words.insert(words.begin(), std::filesystem::current_path().string());
  processes().from_first(pack(words));
}

int run_resume(const Changes& changes) {
  if (!processes().is_first()) return help_resume(changes);
  Job job;
  const std::string name = go_where_it_began(files::run_name(changes.file));
  job.from = files::take_up(name);
  warn(job.from->warnings);
  const files::Checkpoint& from = job.from->checkpoint;
  require_command(from, name);
  job.words = changed_words(changes, from);
  send_words(job.words);
  const bool was_complete = is_complete(from);
  const std::string draws = grouped(static_cast<std::uint64_t>(from.rows.draws));
  CLI::App parser;
  read_words(job, parser, changes);
  say_library(job.arguments);
  const int code = carry_out(job, parser);
  if (was_complete && changes.draws.empty() && changes.end.run.until_ess == 0 && !changes.quiet) {
    tell(fmt::format("The run was complete: {} draws per chain. --draws +N adds N to each.\n",
                     draws));
  }
  return code;
}

}  // namespace

Command add_resume(CLI::App& app, const Words& words) {
  const auto changes = std::make_shared<Changes>();
  CLI::App* parser = app.add_subcommand("resume", "Go on where a run stopped");
  parser->add_option("FILE", changes->file, "the run: NAME or NAME.nc")->required();
  parser->add_option("--draws", changes->draws, "+N: N more draws per chain; N: so many in all")
      ->type_name("+N");
  add_end_arguments(parser, changes->end);
  add_whole(parser, "--threads", changes->threads, {1, 1'000'000}, "[as before]");
  parser->add_flag("--json", changes->json, "print the summary as one JSON object");
  parser->add_flag("--quiet", changes->quiet, "no progress and no summary");
  parser->add_flag("--force", changes->force,
                   "overwrite CSV files and a file of tuning that are not the run's own");
  parser->footer(kResumeFooter);
  return {parser, [changes, words] {
            require_same_words(words, processes());
            return run_resume(*changes);
          }};
}

}  // namespace gadwall::app
