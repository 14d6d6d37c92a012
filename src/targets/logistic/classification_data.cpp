// Two-class data for a regression: a table becomes a design matrix and labels 0 and 1.
#include "targets/logistic/classification_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "gadwall/error.hpp"
#include "text/nearest_name.hpp"
#include "text/number_text.hpp"

namespace gadwall {
namespace {

constexpr std::size_t most_listed = 10;  // names or values spelt out in one message

std::string listed(const std::vector<std::string>& items) {
  std::vector<std::string> first;
  for (const std::string& item : items) {
    if (first.size() == most_listed) break;
    first.push_back(files::shown(item));
  }
  std::string text = fmt::format("{}", fmt::join(first, ", "));
  if (items.size() == first.size()) return text;
  return fmt::format("{} and {} more", text, grouped(items.size() - first.size()));
}

std::optional<Index> column_called(const files::Table& table, const std::string& name) {
  const auto& names = table.names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  if (std::find(found + 1, names.end(), name) != names.end()) {
    throw UsageError(fmt::format("{}: more than one column is called {}; give its position instead",
                                 table.file(), files::shown(name)));
  }
  return found - names.begin();
}

std::optional<Index> column_at(const files::Table& table, const std::string& text) {
  Index position = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, position);
  if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
  const Index count = table.columns();
  if (error == std::errc{} && position >= 1 && position <= count) return position - 1;
  if (error == std::errc{} && position >= -count && position <= -1) return position + count;
  throw UsageError(fmt::format("{}: no label column {}; positions go from 1 to {}, or -1 to -{}",
                               table.file(), text, count, count));
}

Index label_column(const files::Table& table, const std::optional<std::string>& label) {
  if (!label) return column_called(table, "y").value_or(table.columns() - 1);
  if (const auto column = column_called(table, *label)) return *column;
  if (const auto column = column_at(table, *label)) return *column;
  const std::string near = nearest_name(*label, table.names());
  throw UsageError(fmt::format(
      "{}: no label column {}{}; {}: {}", table.file(), files::shown(*label),
      near.empty() ? "" : fmt::format(" (did you mean {}?)", files::shown(near)),
      table.has_header() ? "there are" : "without a header there are", listed(table.names())));
}

// The distinct labels in order, with the text of each: by value when all are numbers (so that 1
// and 1.0 are the same), else by name.
template <class Key>
void label_rows(const std::vector<std::string>& texts, const std::vector<Key>& keys,
                const std::string& where, ClassificationData& data) {
  std::map<Key, std::string> classes;
  for (std::size_t i = 0; i < keys.size(); ++i) classes.try_emplace(keys[i], texts[i]);
  if (classes.size() != 2) {
    std::vector<std::string> seen;
    seen.reserve(classes.size());
    for (const auto& [key, text] : classes) seen.push_back(text);
    throw UsageError(fmt::format("{}: the label has {} value{} ({}), expected 2", where,
                                 seen.size(), seen.size() == 1 ? "" : "s", listed(seen)));
  }
  data.class0 = classes.begin()->second;
  data.class1 = classes.rbegin()->second;
  data.y.resize(static_cast<Index>(keys.size()));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    data.y[static_cast<Index>(i)] = keys[i] == classes.begin()->first ? 0 : 1;
  }
}

void read_labels(const files::Table& table, Index column, ClassificationData& data) {
  const std::vector<std::string> texts = table.read_text(column);
  const std::string where = fmt::format("{}: {}", table.file(), table.title(column));
  std::vector<double> numbers;
  for (const std::string& text : texts) {
    const files::CellValue value = files::cell_value({text, false});
    if (value.kind != files::CellKind::number) return label_rows(texts, texts, where, data);
    numbers.push_back(value.number);
  }
  label_rows(texts, numbers, where, data);
}

std::string safe_name(const std::string& name) {
  std::string safe = name;
  for (char& c : safe) {
    const auto code = static_cast<unsigned char>(c);
    if (code <= 32 || code == 127 ||
        std::string_view(",;#\"'`").find(c) != std::string_view::npos) {
      c = '_';
    }
  }
  while (safe.ends_with("__")) safe.pop_back();  // Stan's tools keep that ending for lp__ and such
  // Where a column is called 2001, a reader of the draws would take the name for a number.
  return files::cell_value({safe, false}).kind == files::CellKind::text ? safe : "x" + safe;
}

void add_unique_name(const std::string& name, std::set<std::string>& taken,
                     std::vector<std::string>& names) {
  std::string unique = name;
  for (int copy = 2; !taken.insert(unique).second; ++copy)
    unique = fmt::format("{}_{}", name, copy);
  names.push_back(unique);
}

/// What messages call the data and its columns, and the names of the columns.
struct Features {
  std::string source;
  std::vector<std::string> names;
  std::vector<std::string> titles;
  bool has_names = true;  // of its own
};

/// "a, b and 3 more"
std::string first_of(std::vector<std::string> items) {
  const std::size_t more = items.size() - std::min(items.size(), most_listed);
  items.resize(items.size() - more);
  return fmt::format("{}{}", fmt::join(items, ", "),
                     more > 0 ? fmt::format(" and {} more", grouped(more)) : "");
}

void name_coefficients(const Features& features, bool bias, ClassificationData& data) {
  std::set<std::string> taken;
  std::vector<std::string> renamed;
  for (const std::string& name : features.names) {
    add_unique_name(safe_name(name), taken, data.names);
    if (!features.has_names || data.names.back() == name) continue;
    renamed.push_back(fmt::format("{} is {}", files::shown(name), data.names.back()));
  }
  if (bias) add_unique_name("bias", taken, data.names);
  if (renamed.empty()) return;
  data.warnings.push_back(fmt::format("{}: columns that the draws call otherwise: {}",
                                      features.source, first_of(std::move(renamed))));
}

/// Columns with the same numbers in all rows: only the sum of their weights is told by the data.
void warn_of_equal_columns(const Features& features, ClassificationData& data) {
  std::unordered_map<std::string_view, std::size_t> first;
  std::vector<std::string> equal;
  for (std::size_t j = 0; j < features.names.size(); ++j) {
    const auto column = data.x.col(static_cast<Index>(j));
    if (column.minCoeff() == column.maxCoeff()) continue;
    const auto* const bytes = reinterpret_cast<const char*>(column.data());
    const auto size = static_cast<std::size_t>(column.size()) * sizeof(double);
    const auto [before, is_new] = first.emplace(std::string_view(bytes, size), j);
    if (is_new) continue;
    equal.push_back(fmt::format("{} and {}", data.names[before->second], data.names[j]));
  }
  if (equal.empty()) return;
  data.warnings.push_back(
      fmt::format("{}: columns that are equal: {}; of their weights the data tell only the sum",
                  features.source, first_of(std::move(equal))));
}

// Gives back the mean and the sd that were taken out. Far from 1 the squares would leave the range
// of a double; a power of two changes no digit of the result.
std::pair<double, double> standardise_column(VectorRef column) {
  int exponent = 0;
  std::frexp(column.lpNorm<Eigen::Infinity>(), &exponent);
  if (std::abs(exponent) <= 400) exponent = 0;
  if (exponent != 0) {
    column = column.unaryExpr([exponent](double v) { return std::ldexp(v, -exponent); }).eval();
  }
  const double mean = column.mean();
  column.array() -= mean;
  const double rest = column.mean();  // what rounding left of a mean far from zero
  column.array() -= rest;
  const double sd = std::sqrt(column.squaredNorm() / static_cast<double>(column.size() - 1));
  column /= sd;
  return {std::ldexp(mean + rest, exponent), std::ldexp(sd, exponent)};
}

// Standardises the columns of the features in place; constant ones leave x and the names, the ones
// after them move up.
void standardise_features(ClassificationOptions::ConstantColumns policy, Features& features,
                          ClassificationData& data) {
  std::vector<std::string> kept;
  std::vector<std::string> constant;
  for (std::size_t k = 0; k < features.names.size(); ++k) {
    auto column = data.x.col(static_cast<Index>(k));
    if (column.minCoeff() == column.maxCoeff()) {
      if (policy == ClassificationOptions::refuse) {
        throw UsageError(
            fmt::format("{}: {} is constant ({} in every row), it has no unit variance",
                        features.source, features.titles[k], column[0]));
      }
      constant.push_back(features.names[k]);
      continue;
    }
    const auto [mean, sd] = standardise_column(column);
    data.mean.push_back(mean);
    data.sd.push_back(sd);
    if (kept.size() < k) data.x.col(static_cast<Index>(kept.size())) = column;
    kept.push_back(features.names[k]);
  }
  features.names = std::move(kept);
  if (constant.empty()) return;
  data.warnings.push_back(fmt::format("{}: dropped {} constant column{}: {}", features.source,
                                      constant.size(), constant.size() == 1 ? "" : "s",
                                      listed(constant)));
}

void require_usable(const std::string& source, Index rows, const ClassificationOptions& options) {
  if (!(options.scale >= 0) || std::isinf(options.scale)) {
    throw UsageError(fmt::format("scale {}: expected a finite number above 0", options.scale));
  }
  if (rows < 2) {
    throw UsageError(fmt::format("{}: {} row, expected at least 2", source, rows));
  }
}

void require_features(const Features& features) {
  if (features.names.empty()) {
    throw UsageError(fmt::format("{}: no feature column left beside the label", features.source));
  }
}

/// data.x has the features as they came, and room for the bias.
void shape_features(Features features, const ClassificationOptions& options,
                    ClassificationData& data) {
  require_features(features);
  const auto all = static_cast<Index>(features.names.size());
  if (options.scale > 0) {
    data.x.leftCols(all) /= options.scale;
  } else if (options.standardise) {
    standardise_features(options.constant_columns, features, data);
    require_features(features);
  }
  const auto left = static_cast<Index>(features.names.size());
  if (!data.x.leftCols(left).allFinite()) {
    throw UsageError(fmt::format("{}: features divided by the scale {} are not finite",
                                 features.source, options.scale));
  }
  data.x.conservativeResize(Eigen::NoChange, left + (options.bias ? 1 : 0));
  if (options.bias) data.x.col(left).setOnes();
  name_coefficients(features, options.bias, data);
  warn_of_equal_columns(features, data);
}

void check_numbers(const Matrix& x, const Vector& y, std::size_t names) {
  if (y.size() != x.rows()) {
    throw UsageError(fmt::format("y has {} values, expected one for each of the {} rows of X",
                                 y.size(), x.rows()));
  }
  if (names != 0 && names != static_cast<std::size_t>(x.cols())) {
    throw UsageError(fmt::format("there are {} names, expected one for each of the {} columns of X",
                                 names, x.cols()));
  }
  for (Index i = 0; i < x.rows(); ++i) {
    if (!x.row(i).allFinite()) {
      throw UsageError(fmt::format("row {} of X has a value that is not finite", i + 1));
    }
    if (y[i] != 0 && y[i] != 1) {
      throw UsageError(fmt::format("y has {} in row {}, expected 0 or 1", y[i], i + 1));
    }
  }
  if (y.minCoeff() == y.maxCoeff()) {
    throw UsageError(fmt::format("y is {} in every row, expected 0 and 1", y[0]));
  }
}

}  // namespace

ClassificationData make_classification(const files::Table& table,
                                       const ClassificationOptions& options) {
  require_usable(table.file(), table.rows(), options);
  ClassificationData data;
  const Index label = label_column(table, options.label);
  std::vector<Index> columns;
  Features features{table.file(), {}, {}, table.has_header()};
  for (Index j = 0; j < table.columns(); ++j) {
    if (j == label) continue;
    columns.push_back(j);
    features.names.push_back(table.names()[static_cast<std::size_t>(j)]);
    features.titles.push_back(table.title(j));
  }
  require_features(features);
  read_labels(table, label, data);
  const auto count = static_cast<Index>(columns.size());
  data.x.resize(table.rows(), count + (options.bias ? 1 : 0));
  table.read_numbers(columns, data.x.leftCols(count));
  shape_features(std::move(features), options, data);
  return data;
}

ClassificationData make_classification(Matrix x, Vector y, std::vector<std::string> names,
                                       const ClassificationOptions& options) {
  require_usable("X", x.rows(), options);
  check_numbers(x, y, names.size());
  Features features{"X", std::move(names), {}, true};
  for (Index j = 0; j < x.cols(); ++j) {
    if (static_cast<Index>(features.names.size()) <= j) {
      features.names.push_back(fmt::format("x{}", j + 1));
    }
    features.titles.push_back(fmt::format("column {}", j + 1));
  }
  ClassificationData data;
  data.class0 = std::string("0");
  data.class1 = std::string("1");
  data.y = std::move(y);
  data.x = std::move(x);
  data.x.conservativeResize(Eigen::NoChange, data.x.cols() + (options.bias ? 1 : 0));
  shape_features(std::move(features), options, data);
  return data;
}

ClassificationData load_classification(const std::string& path,
                                       const ClassificationOptions& options) {
  return make_classification(files::read_table(path, {options.header}), options);
}

}  // namespace gadwall
