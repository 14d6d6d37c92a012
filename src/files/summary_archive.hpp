// Facts, summaries and verdicts as archives.
#pragma once

#include "gadwall/archive.hpp"
#include "gadwall/summary.hpp"

namespace gadwall::files {

/// Facts without the stages.
void archive_measured(Archive& a, MeasuredFacts& facts);
void archive_facts(Archive& a, RunFacts& facts);

void archive_summary(Archive& a, Summary& summary);
void archive_verdict(Archive& a, Verdict& verdict);

/// As if they had not been asked for.
void forget_quantiles(Summary& summary);

}  // namespace gadwall::files
