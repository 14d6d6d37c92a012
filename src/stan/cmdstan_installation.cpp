// CmdStan: its stanc, and headers and libraries by the flags of its own makefile.
#include <fmt/format.h>

#include "gadwall/error.hpp"
#include "stan/installation.hpp"
#include "stan/process.hpp"

namespace gadwall::stan {
namespace {

namespace fs = std::filesystem;

class CmdStan final : public StanInstallation {
 public:
  explicit CmdStan(fs::path directory) : directory_(std::move(directory)) {}

  std::string name() const override { return "CmdStan in " + directory_.string(); }

  std::string identity() const override {
    return fmt::format("{}\n{}{}", name(), run_process({stanc(), "--version"}).output,
                       variable("COMPILE.cpp"));
  }

  fs::path build(const StanProgram& program, const StanBuild& build) const override {
    const fs::path includes = fs::absolute(program.path).parent_path();
    const ProcessResult result =
        run_process({stanc(), "--name=" + program.name, "--include-paths=" + includes.string(),
                     "--filename-in-msg=" + program.path.filename().string(),
                     "--o=" + (build.directory / "model.cpp").string(), program.path});
    if (result.code != 0) refuse_program(program, result.output);
    return build_with_bridge(commands(build.flags), build);
  }

 private:
  std::string stanc() const { return directory_ / "bin" / "stanc"; }

  /// Of the makefile, which prints "NAME = VALUE" for print-NAME.
  std::string variable(const std::string& wanted) const {
    const ProcessResult result =
        run_process({"make", "-s", "-C", directory_, "STAN_THREADS=true", "print-" + wanted});
    const std::size_t at = result.output.find(wanted + " =");
    if (result.code != 0 || at == std::string::npos) {
      throw RunError(fmt::format("{}: its makefile does not say {}: {}", directory_.string(),
                                 wanted, result.output));
    }
    const std::size_t begin = at + wanted.size() + std::string_view(" =").size();
    return result.output.substr(begin, result.output.find('\n', begin) - begin);
  }

  /// The paths in the flags are seen from CmdStan's directory.
  std::vector<std::string> there(const std::string& line) const {
    std::vector<std::string> words = {"env", "-C", directory_};
    for (const std::string& word : words_of(line)) words.push_back(word);
    return words;
  }

  BridgeCommands commands(const std::string& flags) const {
    BridgeCommands result;
    result.compile = there(variable("COMPILE.cpp") + " -fPIC " + flags);
    result.link = there(variable("LINK.cpp") + " -shared");
    for (const char* name : {"LDLIBS", "SUNDIALS_TARGETS", "LIBSUNDIALS", "TBB_TARGETS"}) {
      for (const std::string& word : words_of(variable(name))) result.libraries.push_back(word);
    }
    return result;
  }

  fs::path directory_;
};

}  // namespace

std::unique_ptr<StanInstallation> cmdstan_in(const fs::path& directory) {
  return std::make_unique<CmdStan>(directory);
}

}  // namespace gadwall::stan
