// The comment blocks of a Stan CSV file as text: what stands above and below the draws.
#pragma once

#include <string>
#include <string_view>

#include "files/stan_csv.hpp"

namespace gadwall::files {

/// UsageError where a name or a setting would break the lines it is written in.
void check_stan_csv_header(const StanCsvHeader& header);

/// The configuration and the line of column names.
std::string stan_csv_configuration(const StanCsvHeader& header);

/// Elapsed times and costs of the chain, and the seconds of the whole run.
std::string stan_csv_closing(const MeasuredFacts& chain, const Cost<double>& run_seconds);

}  // namespace gadwall::files
