// The built-in targets: the table that `gadwall list` and the command line read.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gadwall/target.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

/// What the built-in targets can be told; each uses some of it.
struct TargetOptions {
  // logistic
  std::string data;             // table: CSV or whitespace-separated, plain or gzip
  std::string label;            // column of the classes: a name, or a position (-1: the last);
                                // empty: the column called y, else the last
  std::string header = "auto";  // auto, yes, no: whether the first line names the columns
  bool standardise = true;      // features to zero mean and unit sample variance
  double scale = 0;             // > 0: divide the features by it instead (255 for image bytes)
  bool bias = true;             // a column of ones, appended last
  bool drop_constant = true;    // columns that cannot be standardised: drop them, or refuse
  double prior_sd = 1;          // of every weight, the bias included
  bool raw = false;             // keep coefficients in the units of the table's columns

  // gaussian
  std::string mean;        // file of n numbers; empty: zero
  std::string covariance;  // file of n x n numbers

  // stan (data: Stan's JSON, a file or the text itself, which begins with {)
  std::string model;        // a Stan program, or what it was compiled to
  std::string stan;         // a program: directory of the Stan that compiles it; empty: any
  std::string flags;        // a program: more flags for the C++ compiler
  std::string stanc_flags;  // a program: more flags for Stan's compiler
  bool one_thread = false;  // nobody else evaluates it at the same time
  std::uint64_t seed = 1;   // of random numbers in `transformed data`

  // banana, funnel
  Index dim = 0;            // 0: 2 for the banana, 10 for the funnel
  double curvature = 0.03;  // of the banana
};

struct BuiltTarget {
  std::shared_ptr<const Target> target;
  std::vector<std::string> warnings;  // one line each
};

struct TargetRow {
  std::string name;
  std::string summary;
  std::vector<std::string> options;  // as on the command line, without the dashes
  std::function<BuiltTarget(const TargetOptions&)> make;
};

const std::vector<TargetRow>& targets();

/// The target `logistic` from numbers: x is N x n, y has 0 or 1 for each row, names one for each
/// column, or none. Options about files are not used.
BuiltTarget logistic_regression(Matrix x, Vector y, std::vector<std::string> names = {},
                                const TargetOptions& options = {});

/// UsageError with the nearest name where there is no such target.
const TargetRow& find_target(const std::string& name);

}  // namespace gadwall
