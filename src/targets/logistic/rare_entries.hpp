// Columns of a design that nearly always have one and the same value (the bias, dummies of rare
// categories, counts that are mostly zero, the rim of an image): the usual value, and a list of the
// entries that differ. A short list costs less than a column of numbers that are all the same.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gadwall/types.hpp"

namespace gadwall {

struct RareEntry {
  std::int32_t row;
  std::int32_t column;  // counted among the rare columns
  double excess;        // what the row has more than the usual value, times the row's sign
};

class RareEntries {
 public:
  /// Chooses the columns: none, where lists would not pay (a bias alone, say). signs: a factor of
  /// each row.
  RareEntries(const Matrix& design, const Vector& signs);

  Index count() const { return static_cast<Index>(columns_.size()); }  // of rare columns
  Index column(Index c) const { return columns_[as_size(c)]; }         // where it is in the design
  double usual(Index c) const { return usual_[as_size(c)]; }
  const std::vector<Index>& dense_columns() const { return dense_columns_; }  // all the others

  double cost_a_row() const;  // of its entries, in numbers of a dense row that take as long
  double bytes() const { return static_cast<double>(sizeof(RareEntry) * entries_.size()); }

  /// The entries of rows that follow each other.
  std::span<const RareEntry> of_rows(Index first, Index rows) const {
    const std::size_t begin = starts_[as_size(first)];
    return {entries_.data() + begin, starts_[as_size(first + rows)] - begin};
  }

 private:
  static std::size_t as_size(Index i) { return static_cast<std::size_t>(i); }
  void list_entries(const Matrix& design, const Vector& signs);

  std::vector<Index> columns_, dense_columns_;
  std::vector<double> usual_;        // value of each of columns_
  std::vector<RareEntry> entries_;   // row by row
  std::vector<std::size_t> starts_;  // of each row, and the end
};

}  // namespace gadwall
