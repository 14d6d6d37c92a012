// Files of a data set -> design matrix and labels -> logistic regression.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "files/idx_file.hpp"
#include "files/table.hpp"
#include "files/text_file.hpp"
#include "gadwall/error.hpp"
#include "reproduce/data_sets.hpp"
#include "targets/logistic/classification_data.hpp"
#include "targets/logistic/logistic.hpp"

namespace gadwall::app::reproduce {
namespace {

constexpr std::uint8_t kFive = 5;
constexpr std::uint8_t kSix = 6;
constexpr Index kAuthorsOnes = 5918;  // in the released script; there are 5421 fives

/// Without the header and what is in front of it.
std::string without_header(std::string text, const std::string& path) {
  const files::Table table = files::parse_table(text, path);
  if (!table.has_header()) return text;
  std::size_t begin = 0;
  for (std::size_t line = 1; line < table.line(0); ++line) begin = text.find('\n', begin) + 1;
  return text.substr(begin);
}

/// Tables with the same columns, one below the other; a header is kept of the first only.
files::Table read_tables(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) {
    std::string next = files::read_text_file(path);
    if (!text.empty()) next = without_header(std::move(next), path);
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
    text += next;
  }
  return files::parse_table(std::move(text), fmt::format("{}", fmt::join(paths, " + ")));
}

ClassificationData from_tables(const DataSet& set, const DataFiles& files) {
  ClassificationOptions options;
  options.scale = set.scale;
  options.constant_columns = ClassificationOptions::refuse;
  return make_classification(read_tables(files.paths), options);
}

/// The fives and sixes, y = 1 for a six.
ClassificationData from_idx(const DataSet& set, const DataFiles& files) {
  const files::IdxBytes images = files::read_idx(files.paths[0], 3);
  const files::IdxBytes digits = files::read_idx(files.paths[1], 1);
  const std::size_t pixels = images.shape[1] * images.shape[2];
  if (images.shape[0] != digits.shape[0]) {
    throw UsageError(fmt::format("{}: {} labels, expected {} as {} has images", files.paths[1],
                                 digits.shape[0], images.shape[0], files.paths[0]));
  }
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < digits.shape[0]; ++i) {
    if (digits[i] == kFive || digits[i] == kSix) chosen.push_back(i);
  }
  ClassificationData data;
  data.x.resize(static_cast<Index>(chosen.size()), static_cast<Index>(pixels) + 1);
  data.y.resize(data.x.rows());
  for (std::size_t r = 0; r < chosen.size(); ++r) {
    const auto row = static_cast<Index>(r);
    for (std::size_t p = 0; p < pixels; ++p) {
      data.x(row, static_cast<Index>(p)) = images[chosen[r] * pixels + p] / set.scale;
    }
    data.y[row] = digits[chosen[r]] == kSix ? 1 : 0;
  }
  data.x.rightCols(1).setOnes();
  for (std::size_t p = 0; p < pixels; ++p) data.names.push_back(fmt::format("p{}", p));
  data.names.emplace_back("bias");
  return data;
}

void require_size(const DataSet& set, const DataFiles& files, const ClassificationData& data) {
  const Index features = data.x.cols() - 1;
  if (data.x.rows() == set.rows && features == set.features) return;
  throw UsageError(fmt::format("{}: {} rows of {} features, expected the {} of {} of {}",
                               fmt::join(files.paths, " + "), data.x.rows(), features, set.rows,
                               set.features, set.title));
}

void require_ones(const DataSet& set, const DataFiles& files, const Vector& y) {
  const auto ones = static_cast<Index>(y.sum());
  if (set.ones == 0 || ones == set.ones) return;
  throw UsageError(fmt::format("{}: y is 1 in {} rows, expected {} (1: a six, 0: a five)",
                               fmt::join(files.paths, " + "), ones, set.ones));
}

/// [fives; sixes], each in the order of the file; the first ones labelled 1.
Vector authors_labels(const Vector& is_six) {
  std::vector<Index> order(static_cast<std::size_t>(is_six.size()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](Index i) { return is_six[i]; });
  Vector labels = Vector::Zero(is_six.size());
  const auto ones = std::min<std::size_t>(kAuthorsOnes, order.size());
  for (std::size_t k = 0; k < ones; ++k) labels[order[k]] = 1;
  return labels;
}

}  // namespace

std::shared_ptr<const Target> load_data_set(const DataSet& set, const DataFiles& files,
                                            Labels labels) {
  ClassificationData data = files.idx ? from_idx(set, files) : from_tables(set, files);
  require_size(set, files, data);
  require_ones(set, files, data.y);
  if (labels == Labels::authors) data.y = authors_labels(data.y);
  constexpr double kPriorSd = 1;
  return std::make_shared<Logistic>(data.x, data.y, kPriorSd, std::move(data.names));
}

}  // namespace gadwall::app::reproduce
