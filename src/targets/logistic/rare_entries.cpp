#include "targets/logistic/rare_entries.hpp"

#include <numeric>

#include "math/majority.hpp"
#include "math/round_up.hpp"

namespace gadwall {
namespace {

// An entry of the list takes about as long as this many numbers of a dense row. Measured with one
// lane and rows in the third-level cache; with many lanes, or rows in memory, it takes less.
constexpr double kEntryCost = 12;

}  // namespace

RareEntries::RareEntries(const Matrix& design, const Vector& signs) {
  const auto rows = static_cast<double>(design.rows());
  double entries_a_row = 0;
  for (Index j = 0; j < design.cols(); ++j) {
    const auto column = design.col(j);
    const double value = majority_candidate(column);
    const double share = static_cast<double>((column.array() != value).count()) / rows;
    const bool rare = kEntryCost * share < 1;
    (rare ? columns_ : dense_columns_).push_back(j);
    if (!rare) continue;
    usual_.push_back(value);
    entries_a_row += share;
  }
  const auto width = static_cast<Index>(dense_columns_.size()) + 1;  // and one for usual values
  const auto saved = static_cast<double>(round_up(design.cols(), 4) - round_up(width, 4));
  if (!(kEntryCost * entries_a_row < saved)) {
    columns_.clear();
    usual_.clear();
    dense_columns_.resize(as_size(design.cols()));
    std::iota(dense_columns_.begin(), dense_columns_.end(), 0);
  }
  list_entries(design, signs);
}

double RareEntries::cost_a_row() const {
  return kEntryCost * static_cast<double>(entries_.size()) /
         static_cast<double>(starts_.size() - 1);
}

void RareEntries::list_entries(const Matrix& design, const Vector& signs) {
  starts_.push_back(0);
  for (Index i = 0; i < design.rows(); ++i) {
    for (Index c = 0; c < count(); ++c) {
      const double excess = design(i, column(c)) - usual(c);
      if (excess == 0) continue;
      entries_.push_back(
          {static_cast<std::int32_t>(i), static_cast<std::int32_t>(c), signs[i] * excess});
    }
    starts_.push_back(entries_.size());
  }
}

}  // namespace gadwall
