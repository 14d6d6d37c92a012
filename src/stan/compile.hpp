// From a Stan program to a library that StanModel loads.
//
// Results are kept in $XDG_CACHE_HOME/gadwall (else ~/.cache/gadwall): a directory for every
// program, flags and installation, whose file `key` holds all of them, so that nothing stale is
// taken for good.
#pragma once

#include <string>

namespace gadwall::stan {

struct StanCompileOptions {
  std::string stan;         // directory of an installation; empty: find_stan looks
  std::string flags;        // for the C++ compiler, e.g. "-O1"
  std::string stanc_flags;  // for Stan's compiler, e.g. "--O1"
  bool rebuild = false;     // also where the cache has it
};

struct CompiledStan {
  std::string library;  // in the cache
  std::string by;       // the installation
  bool from_cache = false;
};

/// Says when a compilation, which takes a minute, begins, how long it lasts and when it is done.
/// UsageError where the program is not valid Stan or there is no Stan, RunError where compiling
/// fails.
CompiledStan compile_stan(const std::string& program, const StanCompileOptions& options);

}  // namespace gadwall::stan
