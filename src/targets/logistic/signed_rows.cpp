#include "targets/logistic/signed_rows.hpp"

#include "math/round_up.hpp"

namespace gadwall {
namespace {

/// Rows a multiple of 4096 bytes apart would all meet in the same few lines of the cache.
Index padded_columns(Index columns) {
  const Index padded = round_up(columns, 4);
  return padded % 512 == 0 ? padded + 4 : padded;
}

Vector signs_of(const Vector& labels) {
  return 2 * labels.array() - 1;
}

}  // namespace

SignedRows::SignedRows(const Matrix& design, const Vector& labels)
    : rare(design, signs_of(labels)),
      rows(design.rows()),
      columns(design.cols()),
      width(columns - rare.count() + (rare.count() > 0 ? 1 : 0)) {
  const Vector signs = signs_of(labels);
  padded.setZero(round_up(rows, kRowGroup), padded_columns(width));
  Index to = 0;
  for (const Index from : rare.dense_columns()) {
    padded.col(to++).head(rows) = signs.cwiseProduct(design.col(from));
  }
  if (rare.count() > 0) padded.col(to).head(rows) = signs;
  coded = CodedRows::of(
      design, signs,
      {.cost_a_row = static_cast<double>(stride()) + rare.cost_a_row(),
       .bytes = static_cast<double>(sizeof(double)) * static_cast<double>(padded.size()) +
                rare.bytes()});
}

}  // namespace gadwall
