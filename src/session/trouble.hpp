// Trouble, named while the run goes: once each, with the chain or parameter and what to try. It
// describes; it does not intervene.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "gadwall/run.hpp"
#include "session/live_estimates.hpp"

namespace gadwall::session {

/// It has not moved for longer than any working sampler takes.
bool is_stuck(const ChainProgress& chain);

class TroubleWatch {
 public:
  explicit TroubleWatch(const RunPlan& plan) : plan_(plan) {}

  /// What is new since the last look, one line each.
  std::vector<std::string> look(const Monitor& monitor, const Estimates& estimates);

 private:
  void look_at_chain(Index chain, const Monitor& monitor);
  void look_at_draws(const Estimates& estimates);
  void say_once(const std::string& key, const std::string& line);

  const RunPlan& plan_;
  std::set<std::string> said_;
  std::vector<std::string> fresh_;
};

}  // namespace gadwall::session
