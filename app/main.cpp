// The program: arguments -> command -> exit code. The only place that catches and exits.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <new>
#include <vector>

#include "commands.hpp"
#include "gadwall/error.hpp"
#include "io/nearest_name.hpp"

namespace gadwall::app {
namespace {

constexpr const char* kFooter = R"(Examples:
  gadwall sample neal100                                 gadmala, 4 chains, draws to CSV files
  gadwall sample logistic --data german.csv --seed 7     a regression on a table
  gadwall summary neal100-gadmala                        means, sds, quantiles, ESS, R-hat
  gadwall diagnose neal100-gadmala                       can these draws be trusted?
  gadwall list                                           every target and sampler
  gadwall COMMAND --help                                 all options of a command

Exit codes: 0 done, 1 the run failed (diagnose: not sound), 2 wrong arguments or input,
130 interrupted (the draws so far are on disk).)";

/// The parser of the subcommand the user is in.
const CLI::App& current(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

/// "--sampelr was not expected; did you mean --sampler?"
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  std::string message = error.what();
  const auto dashes = message.find("--");
  if (dashes == std::string::npos || dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) {
    return message;
  }
  const std::string wrong = message.substr(dashes, message.find_first_of(" =,]", dashes) - dashes);
  std::vector<std::string> known;
  for (const CLI::Option* option : current(app).get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::string near = nearest_name(wrong, known);
  return fmt::format("unknown option {}{}", wrong,
                     near.empty() ? "" : fmt::format("; did you mean {}?", near));
}

int fail(const std::string& message, int code) {
  fmt::print(stderr, "gadwall: {}\n", message);
  return code;
}

int run(int argc, char** argv) {
  CLI::App app(
      "gadwall: gradient-based adaptive MCMC. It learns the proposal while it samples, "
      "from every proposed state, accepted or rejected.");
  app.set_version_flag("--version", "gadwall " GADWALL_VERSION);
  app.footer(kFooter);
  app.require_subcommand(1);
  const std::vector<Command> commands = {add_sample(app), add_summary(app), add_diagnose(app),
                                         add_list(app)};
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    const CLI::App& parser = current(app);
    const std::string name = parser.get_name().empty() ? "gadwall" : "gadwall " + parser.get_name();
    return fail(fmt::format("{} (see {} --help)", explain(app, error), name), kUsage);
  }
  for (const Command& command : commands) {
    if (command.parser->parsed()) return command.run();
  }
  return kUsage;
}

}  // namespace
}  // namespace gadwall::app

int main(int argc, char** argv) {
  using gadwall::app::fail;
  try {
    return gadwall::app::run(argc, argv);
  } catch (const gadwall::UsageError& error) {
    return fail(error.what(), gadwall::app::kUsage);
  } catch (const std::bad_alloc&) {
    return fail("not enough memory", gadwall::app::kFailed);
  } catch (const std::exception& error) {
    return fail(error.what(), gadwall::app::kFailed);
  }
}
