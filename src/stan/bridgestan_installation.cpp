// BridgeStan builds libraries by its own makefile, from copies of the program and with an object of
// its bridge that is ours: one that was compiled with other flags has another layout of Eigen's
// objects, and the user's is left as it is.
#include <fmt/format.h>

#include "files/atomic_file.hpp"
#include "gadwall/error.hpp"
#include "gadwall/host.hpp"
#include "stan/installation.hpp"
#include "stan/make.hpp"

namespace gadwall::stan {
namespace {

namespace fs = std::filesystem;

class BridgeStan final : public StanInstallation {
 public:
  explicit BridgeStan(fs::path directory) : directory_(std::move(directory)) {}

  std::string name() const override { return "BridgeStan in " + directory_.string(); }

  /// What make/local and the environment say is in the variables.
  std::string identity() const override {
    const auto says = make_variables(directory_, {"COMPILE.cpp", "STANCFLAGS", "LDLIBS"});
    const std::vector<std::string> compiler = words_of(says.at("COMPILE.cpp"));
    return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", name(),
                       files::read_whole_file((directory_ / "src" / "version.hpp").string()),
                       says.at("COMPILE.cpp"), says.at("STANCFLAGS"), says.at("LDLIBS"),
                       compiler.empty() ? "" : compiler_version(compiler.front()));
  }

  fs::path build(const StanProgram& program, const StanBuild& build) const override {
    const auto says = make_variables(directory_, {"STANC", "STANCFLAGS"});
    const fs::path kept = build.shared / "bridgestan.o";
    if (!fs::exists(kept)) say_first_use(*this);
    const std::vector<std::string> stanc = words_of(says.at("STANC"));
    if (stanc.empty()) throw RunError(directory_.string() + ": its makefile names no STANC");
    const fs::path compiler = (directory_ / stanc.front()).lexically_normal();
    if (!fs::exists(compiler)) make({stanc.front()});  // it fetches its own
    translate(compiler, words_of(says.at("STANCFLAGS")), program, build,
              build.directory / "program.hpp");
    const fs::path bridge = build.directory / "bridgestan.o";
    if (fs::exists(kept)) fs::copy_file(kept, bridge);
    fs::path library = build.directory / "program_model.so";
    make({"BRIDGE_O=" + bridge.string(), library}, for_recipe(build.flags));
    if (!fs::exists(kept)) keep(bridge, kept);
    return library;
  }

 private:
  /// Flags by the environment, so that the makefile can add its own to them.
  void make(std::vector<std::string> arguments, const std::string& flags = "") const {
    std::vector<std::string> words = {"env", "CXXFLAGS=" + flags, "make",
                                      "-C",  directory_,          "STAN_THREADS=true"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const ProcessResult result = run_process(words);
    if (result.code == 0) return;
    say(MessageKind::note, result.output + "\n");
    throw RunError(fmt::format("make in {} failed with exit code {}, see above",
                               directory_.string(), result.code));
  }

  /// By a rename, so that nobody sees half of it.
  static void keep(const fs::path& bridge, const fs::path& kept) {
    if (!fs::exists(bridge)) return;
    fs::create_directories(kept.parent_path());
    files::replace_file(kept, files::read_whole_file(bridge));
  }

  fs::path directory_;
};

}  // namespace

std::unique_ptr<StanInstallation> bridgestan_in(const fs::path& directory) {
  return std::make_unique<BridgeStan>(directory);
}

}  // namespace gadwall::stan
