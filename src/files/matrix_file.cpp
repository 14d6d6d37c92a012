// A plain numeric matrix or vector from a text file.
#include "files/matrix_file.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>
#include <vector>

#include "files/table.hpp"
#include "files/text_file.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {

Matrix parse_matrix(std::string text, const std::string& name) {
  const Table table = parse_table(std::move(text), name);
  std::vector<Index> columns(static_cast<std::size_t>(table.columns()));
  std::iota(columns.begin(), columns.end(), Index{0});
  Matrix matrix(table.rows(), table.columns());
  table.read_numbers(columns, matrix);
  return matrix;
}

Vector parse_vector(std::string text, const std::string& name) {
  const Matrix matrix = parse_matrix(std::move(text), name);
  if (matrix.cols() == 1) return matrix.col(0);
  if (matrix.rows() == 1) return matrix.row(0).transpose();
  throw UsageError(fmt::format("{}: {} rows of {} numbers, expected one row or one column", name,
                               matrix.rows(), matrix.cols()));
}

Matrix read_matrix(const std::string& path) {
  return parse_matrix(read_text_file(path), path);
}

Vector read_vector(const std::string& path) {
  return parse_vector(read_text_file(path), path);
}

}  // namespace gadwall::files
