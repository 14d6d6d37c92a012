// R's rstan as Debian packages it: stanc through Rscript, headers of StanHeaders and RcppParallel,
// Eigen and Boost from their own packages. The language is that of Stan 2.21; today's arrays are
// put into its words.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "files/atomic_file.hpp"
#include "files/text_file.hpp"
#include "gadwall/error.hpp"
#include "stan/installation.hpp"
#include "stan/old_arrays.hpp"
#include "stan/process.hpp"

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

constexpr const char* kHint =
    "Hint: this Stan is of version 2.21. In a program's own file `array[N] real x` is put into its "
    "words, `real x[N]`; in files that are included you must do it.\n";

/// The program in the words of Stan 2.21: its own file, or one that is written for it.
fs::path in_old_words(const StanProgram& program, const fs::path& directory) {
  const std::string text = files::read_text_file(program.path);
  const std::string old = with_old_arrays(text);
  if (old == text) return program.path;
  fs::path file = directory / "old_arrays.stan";
  files::replace_file(file, old);
  return file;
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
    const ProcessResult result = run_process(
        {"Rscript", "--vanilla", "-e", kTranslate, in_old_words(program, build.directory),
         program.name, build.directory / "model.cpp", fs::absolute(program.path).parent_path()});
    if (result.code != 0) {
      const std::size_t mark = result.output.find(kMark);
      const bool loaded = mark != std::string::npos;
      refuse_program(program, result.output.substr(loaded ? mark + std::strlen(kMark) : 0) +
                                  (program.files.size() > 1 ? kHint : ""));
    }
    return build_with_bridge(commands(build.flags), build);
  }

 private:
  BridgeCommands commands(const std::string& flags) const {
    BridgeCommands result;
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
    for (const std::string& flag : words_of(flags)) result.compile.push_back(flag);
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
