// Draws behind the C interface.
#pragma once

#include <optional>
#include <string>

#include "gadwall/draws.hpp"
#include "gadwall/gadwall.h"
#include "gadwall/summary.hpp"

struct gadwall_draws {
  explicit gadwall_draws(gadwall::Draws all) : draws(std::move(all)) {
    for (const gadwall::Statistic& column : draws.statistics) statistics.push_back(column.arviz);
  }

  /// Made when it is first asked for.
  const gadwall::Summary& summary();

  gadwall::Draws draws;
  std::vector<std::string> statistics;  // names of the columns of Chain::statistics, ArviZ's
  std::string summary_json, summary_text, verdict_json, verdict_text;  // what was returned
  mutable std::string form;

 private:
  std::optional<gadwall::Summary> summary_;
};
