// compile: a Stan program to a library that `sample` loads.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "files/atomic_file.hpp"
#include "files/file_place.hpp"
#include "gadwall/error.hpp"
#include "stan/compile.hpp"

namespace gadwall::app {
namespace {

constexpr const char* kCompileFooter =
    R"(The library has BridgeStan's C interface; any program that loads BridgeStan's models loads it. It is
made by the first of these that is there: --stan DIR, $BRIDGESTAN, $CMDSTAN, the newest CmdStan
under ~/.cmdstan, R's rstan (Debian: r-cran-rstan; the language of Stan 2.21). Results are kept in
$XDG_CACHE_HOME/gadwall, or ~/.cache/gadwall where that is not set, so that the same program is
compiled once; gadwall sample model.stan does so too.

Examples:
  gadwall compile schools.stan
  gadwall compile schools.stan -o build/schools.so --stan ~/bridgestan-2.6.2
  gadwall sample schools.so --data schools.json)";

struct CompileArguments {
  std::string program;
  std::string out;
  stan::StanCompileOptions options;
  bool force = false;
};

int run_compile(const CompileArguments& a) {
  if (!a.program.ends_with(".stan")) {
    throw UsageError(fmt::format("{}: expected a Stan program, FILE.stan", a.program));
  }
  const std::string out =
      a.out.empty() ? std::filesystem::path(a.program).replace_extension(".so").string() : a.out;
  files::check_place(out, a.force);
  const stan::CompiledStan compiled = stan::compile_stan(a.program, a.options);
  files::replace_file(out, files::read_whole_file(compiled.library));
  fmt::print("{} (by {}{})\n", out, compiled.by,
             compiled.from_cache ? "; it was compiled before" : "");
  return kSuccess;
}

}  // namespace

Command add_compile(CLI::App& app) {
  const auto arguments = std::make_shared<CompileArguments>();
  CLI::App* parser = app.add_subcommand("compile", "A Stan program to a library for sample");
  parser->add_option("FILE", arguments->program, "the program, FILE.stan")->required();
  parser->add_option("-o,--out", arguments->out, "the library [FILE.so]");
  parser->add_option("--stan", arguments->options.stan,
                     "directory of BridgeStan or CmdStan [looked for, see below]");
  parser->add_option("--flags", arguments->options.flags,
                     "more flags for the C++ compiler, e.g. --flags='-O1 -g'");
  parser->add_option("--stanc-flags", arguments->options.stanc_flags,
                     "more flags for Stan's compiler, e.g. --stanc-flags=--O1");
  parser->add_flag("--rebuild", arguments->options.rebuild,
                   "compile also what was compiled before");
  parser->add_flag("--force", arguments->force, "overwrite the library if it exists");
  parser->footer(kCompileFooter);
  return {parser, [arguments] { return run_compile(*arguments); }};
}

}  // namespace gadwall::app
