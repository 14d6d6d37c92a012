// BridgeStan builds libraries by its own makefile.
#include <fmt/format.h>

#include "files/atomic_file.hpp"
#include "gadwall/error.hpp"
#include "gadwall/host.hpp"
#include "stan/installation.hpp"
#include "stan/process.hpp"

namespace gadwall::stan {
namespace {

namespace fs = std::filesystem;

class BridgeStan final : public StanInstallation {
 public:
  explicit BridgeStan(fs::path directory) : directory_(std::move(directory)) {}

  std::string name() const override { return "BridgeStan in " + directory_.string(); }

  std::string identity() const override {
    return name() + "\n" + files::read_whole_file((directory_ / "src" / "version.hpp").string());
  }

  fs::path build(const StanProgram& program, const StanBuild& build) const override {
    const fs::path copy = build.directory / "program.stan";
    fs::copy_file(program.path, copy);
    const fs::path includes = fs::absolute(program.path).parent_path();
    // From the environment, so that the makefile can add its own to them.
    const std::string stanc_flags =
        fmt::format("STANCFLAGS=--include-paths={} --filename-in-msg={} --name={}",
                    includes.string(), program.path.filename().string(), program.name);
    const fs::path library = build.directory / "program_model.so";
    const ProcessResult result = run_process({"env", stanc_flags, "CXXFLAGS=" + build.flags, "make",
                                              "-C", directory_, "STAN_THREADS=true", library});
    if (result.code == 0) return library;
    if (!fs::exists(build.directory / "program.hpp")) refuse_program(program, result.output);
    say(MessageKind::note, result.output + "\n");
    throw RunError(fmt::format("make in {} failed, see above", directory_.string()));
  }

 private:
  fs::path directory_;
};

}  // namespace

std::unique_ptr<StanInstallation> bridgestan_in(const fs::path& directory) {
  return std::make_unique<BridgeStan>(directory);
}

}  // namespace gadwall::stan
