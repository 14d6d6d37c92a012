// A design of whole numbers most of which are the usual one of their column (pixels, counts,
// dummies), in a tenth of the memory: 2-byte codes, four columns to a block, and no block where all
// four are as usual.
#pragma once

#include <cstdint>
#include <vector>

#include "gadwall/types.hpp"

namespace gadwall {

/// The blocks of one row that hold something unusual.
struct CodedRow {
  const std::int16_t* codes;    // four a block
  const std::uint16_t* places;  // block p has the columns 4 p, ..., 4 p + 3
  std::size_t blocks;
};

/// With s_i the sign of row i: s_i x_ij = s_i usual_j + step_j code_ij.
class CodedRows {
 public:
  /// What a row costs in another arrangement.
  struct Rival {
    double numbers_a_row;  // as if it were so many numbers of a dense row
    double bytes;          // of all rows
  };

  /// Holds nothing where a column is not of whole steps, or where the rival costs less.
  CodedRows(const Matrix& design, const Vector& signs, Rival rival);

  bool are_used() const { return !starts_.empty(); }
  Index padded_columns() const;  // to whole blocks
  const Vector& usual() const { return usual_; }
  const Vector& step() const { return step_; }
  const Vector& signs() const { return signs_; }
  CodedRow row(Index i) const {
    const std::size_t at = starts_[static_cast<std::size_t>(i)];
    return {codes_.data() + 4 * at, places_.data() + at,
            starts_[static_cast<std::size_t>(i) + 1] - at};
  }

 private:
  bool find_steps(const Matrix& design);
  void list_blocks(const Matrix& design);
  double blocks_a_row() const;

  Vector usual_, step_;  // of each column
  Vector signs_;         // of each row
  std::vector<std::int16_t> codes_;
  std::vector<std::uint16_t> places_;
  std::vector<std::size_t> starts_;  // of each row, in blocks, and the end
};

}  // namespace gadwall
