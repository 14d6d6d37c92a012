// A design of whole numbers, most of them the usual one of their column (pixels, counts, dummies),
// in little memory: 2-byte codes, four columns to a block, and no block where all four are as
// usual.
#pragma once

#include <cstdint>
#include <optional>
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
  /// Another arrangement of the same rows.
  struct Rival {
    double cost_a_row;  // in numbers of a dense row that take as long
    double bytes;       // of all rows
  };

  /// Nothing where a column is not of whole steps, or where the rival costs less.
  static std::optional<CodedRows> of(const Matrix& design, const Vector& signs, Rival rival);

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
  CodedRows() = default;
  bool find_steps(const Matrix& design);
  bool list_blocks(const Matrix& design, double most_blocks);

  Vector usual_, step_;  // of each column
  Vector signs_;         // of each row
  std::vector<std::int16_t> codes_;
  std::vector<std::uint16_t> places_;
  std::vector<std::size_t> starts_;  // of each row, in blocks, and the end
};

}  // namespace gadwall
