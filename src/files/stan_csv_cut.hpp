// Going on with a Stan CSV file: cut off what a restarted run will write again.
#pragma once

#include <cstddef>
#include <string>

#include "files/stan_csv.hpp"

namespace gadwall::files {

struct StanCsvCut {
  bool adapted = false;            // the end of warm-up stands in what is left
  std::size_t num_samples_at = 0;  // offset of the value of num_samples
};

/// Keeps the comments and the first rows, says in num_samples how many the header wants, and puts
/// the result in place of the file in one step: a kill leaves the old file or the new one. RunError
/// where there are fewer rows.
StanCsvCut cut_stan_csv(const std::string& path, const StanCsvHeader& header, const RowsKept& rows);

}  // namespace gadwall::files
