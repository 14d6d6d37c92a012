// CmdStan: its stanc, and headers and libraries by the flags of its own makefile.
#include <fmt/format.h>

#include "gadwall/error.hpp"
#include "gadwall/host.hpp"
#include "stan/installation.hpp"
#include "stan/make.hpp"
#include "stan/process.hpp"

namespace gadwall::stan {
namespace {

namespace fs = std::filesystem;

/// Without what an earlier make left among them.
void copy_sources(const fs::path& from, const fs::path& to) {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(from)) {
    const std::string kind = entry.path().extension();
    if (!entry.is_regular_file() || kind == ".o" || kind == ".a" || kind == ".d") continue;
    const fs::path copy = to / fs::relative(entry.path(), from);
    fs::create_directories(copy.parent_path());
    fs::copy_file(entry.path(), copy);
  }
}

/// In one step: nobody sees half of it. Another program may have made the same meanwhile.
void publish_directory(const fs::path& from, const fs::path& to, const std::string& mark) {
  fs::create_directories(to.parent_path());
  const fs::path fresh = to.string() + "-" + mark;
  fs::copy(from, fresh, fs::copy_options::recursive);
  std::error_code occupied;
  fs::rename(fresh, to, occupied);
  if (occupied) fs::remove_all(fresh);
}

class CmdStan final : public StanInstallation {
 public:
  explicit CmdStan(fs::path directory) : directory_(std::move(directory)) {}

  std::string name() const override { return "CmdStan in " + directory_.string(); }

  /// What make/local and the environment say is in the variables.
  std::string identity() const override {
    const auto says =
        make_variables(directory_, {"COMPILE.cpp", "LINK.cpp", "LDLIBS", "STANCFLAGS"});
    const std::vector<std::string> compiler = words_of(says.at("COMPILE.cpp"));
    std::string text = name() + "\n" + run_process({stanc(), "--version"}).output;
    for (const auto& [variable, value] : says) text += variable + value + "\n";
    return text + (compiler.empty() ? "" : compiler_version(compiler.front()));
  }

  fs::path build(const StanProgram& program, const StanBuild& build) const override {
    const auto says = make_variables(directory_, {"STANCFLAGS"});
    translate(stanc(), words_of(says.at("STANCFLAGS")), program, build,
              build.directory / "model.cpp");
    if (!fs::exists(build.shared)) say_first_use(*this);
    return build_with_bridge(commands(build), build);
  }

 private:
  fs::path stanc() const { return directory_ / "bin" / "stanc"; }

  /// The paths in the flags are seen from CmdStan's directory.
  std::vector<std::string> there(const std::string& line) const {
    std::vector<std::string> words = {"env", "-C", directory_};
    for (const std::string& word : words_of(line)) words.push_back(word);
    return words;
  }

  BridgeCommands commands(const StanBuild& build) const {
    const auto says = make_variables(
        directory_,
        {"COMPILE.cpp", "LINK.cpp", "LDLIBS", "SUNDIALS_TARGETS", "LIBSUNDIALS", "TBB_TARGETS"});
    BridgeCommands result;
    result.compile = there(says.at("COMPILE.cpp") + " -fPIC");
    result.compiler = "the C++ compiler of " + name();
    result.compile.insert(result.compile.end(), build.flags.begin(), build.flags.end());
    result.link = there(says.at("LINK.cpp") + " -shared");
    const auto libraries = [says](const std::vector<std::string>& sundials) {
      std::vector<std::string> words = words_of(says.at("LDLIBS"));
      words.insert(words.end(), sundials.begin(), sundials.end());
      for (const std::string& word : words_of(says.at("TBB_TARGETS"))) words.push_back(word);
      return words;
    };
    const std::vector<std::string> own =
        words_of(says.at("SUNDIALS_TARGETS") + " " + says.at("LIBSUNDIALS"));
    const fs::path kept = build.shared / "sundials";
    const bool has_copies = fs::exists(kept);
    result.libraries = libraries(has_copies ? archives_in(kept) : own);
    if (!has_copies) {
      result.position_independent = [this, build, kept, libraries] {
        build_sundials(build, kept);
        return libraries(archives_in(kept));
      };
    }
    return result;
  }

  /// As a group: they need each other, and the order of a directory is any.
  static std::vector<std::string> archives_in(const fs::path& directory) {
    std::vector<std::string> words = {"-Wl,--start-group"};
    for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
      words.push_back(entry.path());
    }
    words.emplace_back("-Wl,--end-group");
    return words;
  }

  /// CmdStan's own are for programs, not for shared libraries: copies of the sources are compiled
  /// by its makefile with -fPIC.
  void build_sundials(const StanBuild& build, const fs::path& kept) const {
    say(MessageKind::note,
        fmt::format("The program needs Sundials, which {} has for programs only: copies for "
                    "libraries are compiled, once.\n",
                    name()));
    const auto says = make_variables(directory_, {"SUNDIALS"});
    const std::vector<std::string> where = words_of(says.at("SUNDIALS"));
    if (where.empty()) throw RunError(directory_.string() + ": its makefile names no SUNDIALS");
    const fs::path copy = build.directory / "sundials";
    copy_sources(directory_ / where.front(), copy);
    std::vector<std::string> arguments = {"SUNDIALS=" + copy.string(), "CXXFLAGS_SUNDIALS=-fPIC"};
    const auto targets =
        make_variables(directory_, {"SUNDIALS_TARGETS", "LIBSUNDIALS"}, {arguments.front()});
    for (const auto& [variable, value] : targets) {
      for (const std::string& word : words_of(value)) arguments.push_back(word);
    }
    const ProcessResult result = run_make(directory_, arguments);
    if (result.code != 0 || !fs::exists(copy / "lib")) {
      say(MessageKind::note, result.output + "\n");
      throw RunError(fmt::format("{}: Sundials cannot be compiled for libraries, see above",
                                 directory_.string()));
    }
    publish_directory(copy / "lib", kept, build.directory.filename());
  }

  fs::path directory_;
};

}  // namespace

std::unique_ptr<StanInstallation> cmdstan_in(const fs::path& directory) {
  return std::make_unique<CmdStan>(directory);
}

}  // namespace gadwall::stan
