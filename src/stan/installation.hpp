// The Stan installations that can compile a program.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "stan/program.hpp"

namespace gadwall::stan {

/// Where something is built, and how.
struct StanBuild {
  std::filesystem::path directory;       // for this program alone, empty at first, of a plain name
  std::filesystem::path shared;          // kept: what all programs of the installation need
  std::vector<std::string> flags;        // of the C++ compiler, after all others
  std::vector<std::string> stanc_flags;  // of Stan's compiler
};

class StanInstallation {
 public:
  virtual ~StanInstallation() = default;

  /// For the user: "CmdStan in /opt/cmdstan-2.36.0".
  virtual std::string name() const = 0;

  /// Changes when libraries made by it would.
  virtual std::string identity() const = 0;

  /// The library. UsageError where the program is not valid, RunError where the installation does
  /// not work.
  virtual std::filesystem::path build(const StanProgram& program, const StanBuild& build) const = 0;
};

/// directory: a BridgeStan or CmdStan; empty: $BRIDGESTAN, $CMDSTAN, the newest under ~/.cmdstan,
/// R's rstan, in this order. UsageError that says how to get one where there is none.
std::unique_ptr<StanInstallation> find_stan(const std::string& directory);

std::unique_ptr<StanInstallation> bridgestan_in(const std::filesystem::path& directory);
std::unique_ptr<StanInstallation> cmdstan_in(const std::filesystem::path& directory);
/// Null where R or rstan is missing.
std::unique_ptr<StanInstallation> rstan_of_r();

/// Runs a stanc of today on the program's copies. A program that it does not take is refused.
void translate(const std::filesystem::path& stanc, const std::vector<std::string>& flags,
               const StanProgram& program, const StanBuild& build,
               const std::filesystem::path& result);

/// Compiles translated C++ (model.cpp) and our bridge with these words, links both to model.so. The
/// object of the bridge is kept in build.shared.
struct BridgeCommands {
  std::string compiler;              // for messages
  std::vector<std::string> compile;  // up to the names of the files
  std::vector<std::string> link;     // before the objects
  std::vector<std::string> libraries;
  /// The libraries once more, where some cannot be part of a shared library; none: they all can.
  std::function<std::vector<std::string>()> position_independent = {};
};
std::filesystem::path build_with_bridge(const BridgeCommands& commands, const StanBuild& build);

/// Told where what all programs share is not there yet.
void say_first_use(const StanInstallation& stan);

/// The words of a line, apart by blanks.
std::vector<std::string> words_of(const std::string& line);

/// The first line of what the C++ compiler says about itself.
std::string compiler_version(const std::string& compiler);

}  // namespace gadwall::stan
