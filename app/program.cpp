// The program: arguments -> command -> exit code. The only place that catches and exits.
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <system_error>
#include <vector>

#include "commands.hpp"
#include "files/checkpoint.hpp"
#include "files/netcdf_file.hpp"
#include "gadwall/error.hpp"
#include "gadwall/host.hpp"
#include "gadwall/program.hpp"
#include "held_signals.hpp"
#include "launch.hpp"
#include "memory.hpp"
#include "messages.hpp"
#include "text/nearest_name.hpp"
#include "text/option_names.hpp"
#include "text/text_table.hpp"

namespace gadwall::app {
namespace {

constexpr const char* kFooter = R"(Examples:
  gadwall sample neal100                                 auto, 16 chains, draws to a file
  gadwall resume neal100-auto                            go on after an interrupt or a kill
  gadwall sample logistic --data german.csv --seed 7     a regression on a table
  gadwall sample model.stan --data data.json             a Stan program
  gadwall summary neal100-auto                           means, sds, quantiles, ESS, R-hat
  gadwall diagnose neal100-auto                          can these draws be trusted?
  gadwall report neal100-auto                            one page with table and plots
  gadwall export neal100-auto                            CmdStan's CSV files of a run
  gadwall merge part1 part2 --out all                    one run of several jobs'
  mpirun -n 8 gadwall sample neal100 --chains 64         a run of many processes or machines
  gadwall reproduce figure1                              the paper's experiments
  gadwall list                                           every target and sampler
  gadwall COMMAND --help                                 all options of a command

Exit codes: 0 done, 1 the run failed (diagnose: not sound), 2 wrong arguments or input, 3 --max-time
was over in warm-up, 130 interrupted, 143 terminated, 138 by SIGUSR1, 152 by a limit of processor time
(the draws so far are on disk).)";

/// The parser of the subcommand the user is in.
const CLI::App& current(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

std::string suggestion(const std::string& wrong, const std::vector<std::string>& known) {
  const std::string near = nearest_name(wrong, known);
  return near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near);
}

/// "unknown option --sampelr (did you mean '--sampler'?)"
std::string explain_extra(const CLI::App& parser, const std::string& extra) {
  if (!extra.starts_with("-")) return fmt::format("'{}' was not expected", extra);
  const std::string wrong = extra.substr(0, extra.find('='));
  std::vector<std::string> known;
  for (const CLI::Option* option : parser.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  return fmt::format("unknown option {}{}", wrong, suggestion(wrong, known));
}

std::string explain_no_command(const CLI::App& app) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  const std::string there_are = fmt::format("{}", fmt::join(commands, ", "));
  const auto rest = app.remaining();
  if (rest.empty()) return "expected a command: " + there_are;
  if (rest.front().starts_with("-")) return explain_extra(app, rest.front());
  return fmt::format("unknown command '{}'{}; there are: {}", rest.front(),
                     suggestion(rest.front(), commands), there_are);
}

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& parser = current(app);
  if (&parser == &app) return explain_no_command(app);
  const auto rest = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !rest.empty()) {
    return explain_extra(parser, rest.front());
  }
  const std::string message = error.what();
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {  // "--draws: 1 required ..."
    return fmt::format("{} {}", message.substr(0, message.find(':')),
                       message.ends_with("missing") ? "needs a value" : "is given more than once");
  }
  return message;
}

/// One line, whatever an argument or a file name held. Of several processes that have joined the
/// one that fails says so and ends all, since the others wait for it.
int fail(std::string message, int code) {
  LaunchedTeam* const team = joined_team();
  if (team != nullptr) {
    be_silent(false);
    if (team->rank() > 0) message = fmt::format("{}: {}", team->name_of(team->rank()), message);
  }
  message = with_dashes(message);
  std::ranges::replace_if(
      message, [](unsigned char c) { return c < ' ' && c != '\x1b'; }, ' ');
  message = printable(message);
  std::fflush(stdout);
  tell(fmt::format("gadwall: {}\n", message));
  if (team != nullptr) team->abort(code);  // also where it is the only one with work
  return code;
}

/// The library's messages, and its way to outlive an interrupt until it has cleaned up.
void be_host() {
  set_log([](MessageKind kind, const std::string& text) {
    switch (kind) {
      case MessageKind::note:
        return note(text);
      case MessageKind::warning:
        return warn({text});
      case MessageKind::progress:
        return tell_passing(printable(text));
    }
  });
  set_hold([] { return std::make_unique<HeldSignals>(); });
}

/// A file opened later must not become standard output or the place for messages. What is written
/// to a standard output that is closed is an error.
void fill_closed_descriptors() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const int mode = file == STDOUT_FILENO ? O_RDONLY : O_RDWR;
    if (fcntl(file, F_GETFD) == -1 && open("/dev/null", mode) == -1) return;
  }
}

std::string version_line() {
  const std::string mpi = mpi_version();
  return fmt::format("{} ({})", files::build_identity(),
                     mpi.empty() ? "without MPI" : "with MPI: " + mpi);
}

/// Without what CLI11 adds to the name of a flag that has its opposite: "--no-bias{false}".
class HelpText : public CLI::Formatter {
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    std::string name = CLI::Formatter::make_option_name(option, is_positional);
    const std::size_t mark = name.find("{false}");
    return mark == std::string::npos ? name : name.erase(mark, std::string("{false}").size());
  }
};

int run_command_line(int argc, char** argv) {
  CLI::App app(
      "gadwall: gradient-based adaptive MCMC. It learns the proposal while it samples, "
      "from every proposed state, accepted or rejected.",
      "gadwall");
  app.set_version_flag("--version", version_line);
  app.footer(kFooter);
  app.formatter(std::make_shared<HelpText>());
  app.require_subcommand(1);
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const std::vector<Command> commands = {
      add_sample(app, words),      add_resume(app, words), add_summary(app),
      add_diagnose(app),           add_report(app),        add_export(app),
      add_merge(app, words),       add_slurm(app),         add_compile(app),
      reproduce::add_command(app), add_list(app)};
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    const CLI::App& parser = current(app);
    const std::string name = &parser == &app ? "gadwall" : "gadwall " + parser.get_name();
    return fail(fmt::format("{}; see {} --help", explain(app, error), name), kUsage);
  }
  for (const Command& command : commands) {
    if (command.parser->parsed()) return command.run();
  }
  return kUsage;
}

int fail_output(int error_number, int code) {
  if (error_number == EPIPE) {  // whoever read it has seen enough: end as other programs do
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  const std::string reason = std::strerror(error_number);
  return fail("cannot write to standard output: " + reason, code == kSuccess ? kFailed : code);
}

/// Buffered text may not have fitted on the disk.
int check_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  return fail_output(errno, code);
}

}  // namespace
}  // namespace gadwall::app

int gadwall::run_program(int argc, char** argv) {
  using namespace app;
  fill_closed_descriptors();
  be_host();
  limit_memory_to_machine();
  ask_in_large_pieces();
  files::skip_hdf5_cleanup_at_exit();
  std::signal(SIGPIPE, SIG_IGN);  // a terminal, or a reader of messages, that is gone ends no run
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of the write
  be_silent(launched().rank > 0);
  try {
    return leave_launch(check_output(run_command_line(argc, argv)));
  } catch (const UsageError& error) {
    return fail(error.what(), kUsage);
  } catch (const Interrupted& interrupt) {
    return fail(interrupt.what(), 128 + interrupt.signal);
  } catch (const std::bad_alloc&) {
    return fail("not enough memory", kFailed);
  } catch (const std::system_error& error) {  // long texts are not buffered
    if (std::ferror(stdout) != 0) return fail_output(error.code().value(), kFailed);
    return fail(error.what(), kFailed);
  } catch (const std::exception& error) {
    return fail(error.what(), kFailed);
  }
}
