// A plain numeric matrix or vector from a text file.
#pragma once

#include <string>

#include "gadwall/types.hpp"

namespace gadwall::files {

/// Every cell a finite number; separators, comments, gzip and a header as io/table.hpp says.
/// Throws UsageError naming the file, and the line and column of the first bad cell.
Matrix read_matrix(const std::string& path);

/// One row or one column of numbers.
Vector read_vector(const std::string& path);

/// The same from text; `name` stands for the file in messages.
Matrix parse_matrix(std::string text, const std::string& name);
Vector parse_vector(std::string text, const std::string& name);

}  // namespace gadwall::files
