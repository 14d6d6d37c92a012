// The comment blocks of a Stan CSV file as text: what stands above and below the draws.
#pragma once

#include <string>
#include <string_view>

#include "files/stan_csv.hpp"

namespace gadwall::files {

/// The columns before the parameters, in the order of the fields of DrawStatistics.
inline constexpr std::string_view stan_csv_statistics[DrawStatistics::count] = {
    "lp__",         "accept_stat__", "stepsize__", "treedepth__",
    "n_leapfrog__", "divergent__",   "energy__"};

/// UsageError where a name or a setting would break the lines it is written in.
void check_stan_csv_header(const StanCsvHeader& header);

/// The configuration and the line of column names. metric: unit_e, diag_e or dense_e.
std::string stan_csv_configuration(const StanCsvHeader& header, std::string_view path,
                                   std::string_view metric);

/// The key whose value finish() corrects when fewer draws were made than asked for.
inline constexpr std::string_view stan_csv_num_samples = "#     num_samples = ";

/// The same number in draws, which thinning does not change.
inline constexpr std::string_view stan_csv_own_draws = "#   gadwall_draws = ";

/// Elapsed times and costs.
std::string stan_csv_closing(const RunFacts& costs);

}  // namespace gadwall::files
