// The data of a logistic regression, arranged for the vector kernels.
#pragma once

#include "gadwall/types.hpp"
#include "targets/logistic/coded_rows.hpp"
#include "targets/logistic/rare_entries.hpp"

namespace gadwall {

/// The rows s_i X_i, s_i = +1 or -1 by class, in two parts. With w = (a, b), b the weights of the
/// rare columns and v their usual values,
///
///   s_i X_i w = s_i (dense columns)_i a + s_i (v . b) + excess_i b,
///
/// so that a column of signs beside the dense ones, with the weight v . b, does for all the usual
/// values, and the rest is a short list.
struct SignedRows {
  static constexpr Index kRowGroup = 16;

  SignedRows(const Matrix& design, const Vector& labels);
  Index stride() const { return padded.cols(); }

  /// Row-major: the dense columns, then that of the signs if any column is rare, then zeros to a
  /// multiple of 4; rows of zeros to a multiple of kRowGroup.
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> padded;
  RareEntries rare;
  Index rows, columns;             // of the design
  Index width;                     // of the padded rows, without the zeros
  std::optional<CodedRows> coded;  // all of it once more, where few lanes are faster that way

  /// w (columns x K) as weights of the padded columns (width x K) and of the rare ones (rare x K).
  template <class Padded, class Rare>
  void split(ConstMatrixRef w, Padded&& of_padded, Rare&& of_rare) const;

  /// Back from a gradient by those weights to one by w.
  template <class Padded, class Rare>
  void join(const Padded& by_padded, const Rare& by_rare, MatrixRef gradient) const;
};

template <class Padded, class Rare>
void SignedRows::split(ConstMatrixRef w, Padded&& of_padded, Rare&& of_rare) const {
  Index to = 0;
  for (const Index from : rare.dense_columns()) of_padded.row(to++) = w.row(from);
  if (rare.count() == 0) return;
  of_padded.row(to).setZero();
  for (Index c = 0; c < rare.count(); ++c) {
    of_rare.row(c) = w.row(rare.column(c));
    of_padded.row(to) += rare.usual(c) * of_rare.row(c);
  }
}

template <class Padded, class Rare>
void SignedRows::join(const Padded& by_padded, const Rare& by_rare, MatrixRef gradient) const {
  Index from = 0;
  for (const Index to : rare.dense_columns()) gradient.row(to) = by_padded.row(from++);
  for (Index c = 0; c < rare.count(); ++c) {
    gradient.row(rare.column(c)) = by_rare.row(c) + rare.usual(c) * by_padded.row(from);
  }
}

}  // namespace gadwall
