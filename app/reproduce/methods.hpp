// The methods of the paper's tables: each a sampler of the catalogue with its numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gadwall/options.hpp"
#include "gadwall/types.hpp"

namespace gadwall::app::reproduce {

struct Method {
  std::string name;     // as the paper calls it, NUTS with its mass; also the name of files
  std::string sampler;  // of the catalogue
  Settings settings;    // where they differ from its defaults
  Index warmup;         // the paper's lengths
  Index draws;
  bool hamiltonian = false;         // several gradients per iteration
  bool in_the_paper = true;         // the others are rivals of our own choice
  Index chains = 1;                 // in lockstep; the draws are those of each
  double share = 1;                 // of its lengths that is run where --scale does not say
  std::optional<int> repeats = {};  // where --repeats does not say, of a row too dear for as many
                                    // as its experiment has

  /// With a fixed number of leapfrog steps, which the paper tries several of.
  bool has_leapfrogs() const { return settings.contains("leapfrog"); }

  /// Of a setting that it has.
  double number(const std::string& setting) const;
};

/// In the order of the paper's tables.
const std::vector<Method>& methods();

/// What goes beyond the paper, beside its gadMALAf, its HMC and today's rivals: the rows of
/// `beyond`.
const std::vector<Method>& beyond_methods();

/// UsageError with the nearest name where there is no such method.
const Method& find_method(const std::string& name);

/// Of all.
std::vector<std::string> method_names();

}  // namespace gadwall::app::reproduce
