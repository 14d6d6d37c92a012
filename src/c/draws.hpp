// Draws behind the C interface.
#pragma once

#include <optional>
#include <string>

#include "gadwall/draws.hpp"
#include "gadwall/gadwall.h"
#include "gadwall/summary.hpp"

struct gadwall_draws {
  explicit gadwall_draws(gadwall::Draws all) : draws(std::move(all)) {}

  /// Made when it is first asked for.
  const gadwall::Summary& summary();

  gadwall::Draws draws;
  std::string summary_json, summary_text, verdict_json, verdict_text;  // what was returned
  mutable std::string form;

 private:
  std::optional<gadwall::Summary> summary_;
};
