// R's rstan as Debian packages it: stanc through Rscript, headers of StanHeaders and RcppParallel,
// Eigen and Boost from their own packages. The language is that of Stan 2.21; today's arrays are
// put into its words.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "gadwall/error.hpp"
#include "stan/installation.hpp"
#include "stan/old_arrays.hpp"
#include "stan/process.hpp"
#include "stan/program_text.hpp"

namespace gadwall::stan {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWhereAndWhich =
    "for (p in c('rstan', 'StanHeaders', 'RcppParallel')) cat('found', system.file(package = p), "
    "as.character(packageVersion(p)), '\\n')";

/// What is said before the mark comes from loading rstan.
constexpr const char* kMark = "stanc says:\n";
constexpr const char* kTranslate =
    "a <- commandArgs(TRUE); loadNamespace('rstan'); message('stanc says:'); "
    "r <- tryCatch(rstan::stanc(file = a[1], model_name = a[2], obfuscate_model_name = FALSE, "
    "isystem = a[4]), "
    "error = function(e) { message(conditionMessage(e)); quit(status = 1) }); "
    "writeLines(r$cppcode, a[3])";

/// What the language of 2.21 does not have, with the version that brought it.
struct NewWord {
  const char* word;
  const char* version;
};
constexpr NewWord kNewWords[] = {
    {"tuple", "2.33"},
    {"sum_to_zero_vector", "2.36"},
    {"sum_to_zero_matrix", "2.37"},
    {"stochastic_column_matrix", "2.36"},
    {"stochastic_row_matrix", "2.36"},
    {"jacobian", "2.35"},
    {"complex", "2.28"},
    {"complex_vector", "2.30"},
    {"complex_matrix", "2.30"},
    {"profile", "2.26"},
    {"reduce_sum", "2.23"},
    {"reduce_sum_static", "2.23"},
    {"ode_rk45", "2.24"},
    {"ode_bdf", "2.24"},
    {"ode_adams", "2.24"},
    {"ode_ckrk", "2.27"},
    {"dae", "2.29"},
    {"solve_newton", "2.31"},
    {"solve_powell", "2.31"},
};

/// The newest of the words that the program uses; empty where it uses none.
std::string hint_of_newer_stan(const StanProgram& program) {
  const NewWord* newest = nullptr;
  for (const NewWord& known : kNewWords) {
    const bool newer = newest == nullptr || std::strcmp(known.version, newest->version) > 0;
    if (newer && has_word(program.text, known.word)) newest = &known;
  }
  if (newest == nullptr) return "";
  return fmt::format(
      "; '{}' needs Stan {} or later, and rstan has the language of 2.21: unpack and build a "
      "CmdStan (https://mc-stan.org) or BridgeStan "
      "(https://github.com/roualdes/bridgestan/releases) and set CMDSTAN or BRIDGESTAN to its "
      "directory",
      newest->word, newest->version);
}

class RStan final : public StanInstallation {
 public:
  RStan(std::string found, std::vector<std::string> folders)
      : found_(std::move(found)), headers_(folders[1]), parallel_(folders[2]) {
    const char* compiler = std::getenv("CXX");
    compiler_ = compiler == nullptr ? "g++" : compiler;
  }

  std::string name() const override { return "R's rstan (the language of Stan 2.21)"; }

  std::string identity() const override { return found_ + compiler_version(compiler_); }

  fs::path build(const StanProgram& program, const StanBuild& build) const override {
    if (!build.stanc_flags.empty()) {
      throw UsageError(fmt::format(
          "`stanc-flags` has '{}', but {} takes no flags; expected a CmdStan or BridgeStan",
          build.stanc_flags.front(), name()));
    }
    const fs::path copy = write_sources(program, build.directory, with_old_arrays);
    const ProcessResult result =
        run_process({"Rscript", "--vanilla", "-e", kTranslate, copy, program.name,
                     build.directory / "model.cpp", build.directory});
    if (result.code != 0) {
      const std::size_t mark = result.output.find(kMark);
      const bool loaded = mark != std::string::npos;
      refuse_program(program, result.output.substr(loaded ? mark + std::strlen(kMark) : 0),
                     hint_of_newer_stan(program));
    }
    if (!fs::exists(build.shared)) say_first_use(*this);
    return build_with_bridge(commands(build.flags), build);
  }

 private:
  BridgeCommands commands(const std::vector<std::string>& flags) const {
    BridgeCommands result;
    result.compiler = compiler_;
    // Without unique symbols two models, perhaps of two Stans, can be in one process.
    result.compile = words_of(compiler_);  // "ccache g++"
    result.link = result.compile;
    result.link.push_back("-shared");
    const std::vector<std::string> always = {"-std=c++14",
                                             "-O3",
                                             "-w",
                                             "-fPIC",
                                             "-fno-gnu-unique",
                                             "-DSTAN_THREADS",
                                             "-DBOOST_DISABLE_ASSERTS",
                                             "-I",
                                             headers_ + "/include",
                                             "-I",
                                             headers_ + "/include/src",
                                             "-I",
                                             parallel_ + "/include",
                                             "-I",
                                             "/usr/include/eigen3"};
    result.compile.insert(result.compile.end(), always.begin(), always.end());
    result.compile.insert(result.compile.end(), flags.begin(), flags.end());
    result.libraries = {"-ltbb"};
    return result;
  }

  std::string found_;
  std::string headers_;
  std::string parallel_;
  std::string compiler_;
};

}  // namespace

std::unique_ptr<StanInstallation> rstan_of_r() {
  const ProcessResult result = run_process({"Rscript", "--vanilla", "-e", kWhereAndWhich});
  if (result.code != 0) return nullptr;
  std::vector<std::string> folders;
  const std::vector<std::string> words = words_of(result.output);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "found") folders.push_back(words[i + 1]);
  }
  if (folders.size() != 3) return nullptr;
  return std::make_unique<RStan>(result.output, folders);
}

}  // namespace gadwall::stan
