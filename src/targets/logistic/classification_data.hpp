// Two-class data for a regression: a table becomes a design matrix and labels 0 and 1.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "files/table.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

struct ClassificationOptions {
  // A name, or a position from 1 (negative: from the end; a column of that name comes first).
  // None: the column called "y", else the last.
  std::optional<std::string> label;
  bool standardise = true;  // zero mean, unit sample variance (divisor N - 1)
  double scale = 0;         // > 0: divide the features by this instead (255 for image bytes)
  bool bias = true;         // a column of ones, appended last
  // Standardising only: a constant column has no unit variance. Otherwise it is kept.
  enum ConstantColumns { drop, refuse } constant_columns = drop;
  files::HeaderLine header = files::HeaderLine::automatic;
};

struct ClassificationData {
  Matrix x;                           // N x n, the bias last
  Vector y;                           // N, 0 or 1
  std::vector<std::string> names;     // n, unique, without commas, quotes and whitespace
  std::vector<std::string> warnings;  // one line each
  std::string class0, class1;         // the labels that became 0 and 1, as the file writes them
  std::vector<double> mean, sd;       // of the features as the file has them; only if standardised
};

/// Every column beside the label is a feature. Of two numbers the smaller becomes 0, of two names
/// the alphabetically first. Throws UsageError for unusable data.
ClassificationData load_classification(const std::string& path,
                                       const ClassificationOptions& options = {});

ClassificationData make_classification(const files::Table& table,
                                       const ClassificationOptions& options);

/// From numbers: x N x n, y N of 0 and 1, one name per column (none: x1, x2, ...).
ClassificationData make_classification(Matrix x, Vector y, std::vector<std::string> names,
                                       const ClassificationOptions& options);

}  // namespace gadwall
