// Groups names such as theta.1.2 to arrays, and makes names that NetCDF allows.
#include "files/netcdf_layout.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <numeric>

namespace gadwall::files {
namespace {

constexpr std::size_t kMostVariables = 256;
const std::string kManyName = "parameters";

struct IndexedName {
  std::string base;
  std::vector<Index> indices;  // from 1
};

/// Takes whole numbers off the end as long as they would be written like that again.
IndexedName split(const std::string& name) {
  IndexedName result{name, {}};
  for (;;) {
    const std::size_t dot = result.base.rfind('.');
    if (dot == std::string::npos || dot == 0) break;
    const std::string digits = result.base.substr(dot + 1);
    Index value = 0;
    const auto end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, value);
    if (parsed.ec != std::errc() || parsed.ptr != end || value < 1 || digits.front() == '0') break;
    result.indices.insert(result.indices.begin(), value);
    result.base.resize(dot);
  }
  return result;
}

Index product(const std::vector<Index>& shape) {
  return std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
}

/// The next index in column-major order: the first one moves fastest.
void advance(std::vector<Index>& indices, const std::vector<Index>& shape) {
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (++indices[d] <= shape[d]) return;
    indices[d] = 1;
  }
}

/// How many names from here on form an array; 0: none, the first is a scalar.
std::size_t array_length(const std::vector<IndexedName>& names, std::size_t first) {
  const IndexedName& head = names[first];
  if (std::ranges::any_of(head.indices, [](Index i) { return i != 1; })) return 0;
  if (head.indices.empty()) return 0;
  std::size_t end = first;
  while (end < names.size() && names[end].base == head.base &&
         names[end].indices.size() == head.indices.size()) {
    ++end;
  }
  const std::vector<Index>& shape = names[end - 1].indices;
  const bool plausible = std::all_of(shape.begin(), shape.end(), [&](Index extent) {
    return extent <= static_cast<Index>(end - first);
  });
  if (!plausible || product(shape) != static_cast<Index>(end - first)) return 0;
  std::vector<Index> expected(shape.size(), 1);
  for (std::size_t i = first; i < end; ++i) {
    if (names[i].indices != expected) return 0;
    advance(expected, shape);
  }
  return end - first;
}

/// Names that become one variable.
struct Piece {
  std::size_t first = 0;
  std::size_t count = 1;
  std::vector<Index> shape;  // empty: a scalar
  bool is_labelled = false;  // an array whose elements have names of their own
};

std::vector<Piece> find_pieces(const std::vector<IndexedName>& names) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < names.size(); i += pieces.back().count) {
    const std::size_t length = array_length(names, i);
    Piece& piece = pieces.emplace_back();
    piece.first = i;
    if (length == 0) continue;
    piece.count = length;
    piece.shape = names[i + length - 1].indices;
  }
  return pieces;
}

Piece labelled(std::size_t first, std::size_t count) {
  return {first, count, {static_cast<Index>(count)}, true};
}

/// Neighbouring scalars as one.
std::vector<Piece> with_scalars_joined(const std::vector<Piece>& pieces) {
  std::vector<Piece> result;
  for (const Piece& piece : pieces) {
    const bool joins = piece.shape.empty() && !result.empty() &&
                       (result.back().is_labelled || result.back().shape.empty());
    if (!joins) {
      result.push_back(piece);
    } else {
      result.back() = labelled(result.back().first, result.back().count + 1);
    }
  }
  return result;
}

/// A variable costs kilobytes and is listed in its dimensions, whose lists are written anew with
/// each: thousands of them become a few arrays, or one.
std::vector<Piece> fewer(std::vector<Piece> pieces) {
  if (pieces.size() > kMostVariables) pieces = with_scalars_joined(pieces);
  if (pieces.size() <= kMostVariables) return pieces;
  return {labelled(0, pieces.back().first + pieces.back().count)};
}

/// Other tools know names of at most 255 bytes, also with _dim_0 after them.
std::string shortened(const std::string& name) {
  constexpr std::size_t most = 200;
  if (name.size() <= most) return name;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;  // within UTF-8
  const auto sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(name.data()), name.size());
  return fmt::format("{}_{:08x}", name.substr(0, end), sum);
}

/// Free, and so are the names of its dimensions; takes them all.
std::string free_array_name(const std::string& wanted, std::size_t rank,
                            std::set<std::string>& taken) {
  const auto has_taken_dimension = [&](const std::string& name) {
    for (std::size_t d = 0; d < rank; ++d) {
      if (taken.contains(dimension_name(name, d))) return true;
    }
    return false;
  };
  std::string name = free_name(wanted, taken);
  while (has_taken_dimension(name)) name = free_name(name, taken);
  for (std::size_t d = 0; d < rank; ++d) taken.insert(dimension_name(name, d));
  return name;
}

VariableLayout labelled_array(const std::vector<std::string>& names, const LabelledArray& array) {
  VariableLayout variable;
  variable.name = variable.original = array.name;
  variable.shape = {static_cast<Index>(names.size())};
  variable.columns = columns_of(variable.shape, 0);
  variable.labels = names;
  variable.labels_name = array.dimension;
  return variable;
}

}  // namespace

std::string dimension_name(const std::string& variable, std::size_t index) {
  return fmt::format("{}_dim_{}", variable, index);
}

std::string free_name(const std::string& wanted, std::set<std::string>& taken) {
  std::string name = wanted.empty() ? "_" : shortened(wanted);
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F || c == '/') c = '_';
  }
  if (name.back() == ' ') name.back() = '_';
  const auto first = static_cast<unsigned char>(name.front());
  if (first < 0x80 && std::isalnum(first) == 0 && first != '_') name = '_' + name;
  while (!taken.insert(name).second) name += '_';
  return name;
}

std::vector<Index> columns_of(const std::vector<Index>& shape, Index first) {
  const Index size = product(shape);
  std::vector<Index> columns(static_cast<std::size_t>(size));
  for (Index position = 0; position < size; ++position) {
    Index rest = position;
    Index stride = size;
    Index column = 0;
    for (std::size_t d = shape.size(); d-- > 0;) {  // last index fastest in the file ...
      stride /= shape[d];
      column += rest % shape[d] * stride;  // ... and slowest in the run
      rest /= shape[d];
    }
    columns[static_cast<std::size_t>(position)] = first + column;
  }
  return columns;
}

std::vector<std::string> element_names(const std::string& original,
                                       const std::vector<Index>& shape) {
  std::vector<std::string> names(static_cast<std::size_t>(product(shape)));
  std::vector<Index> indices(shape.size(), 1);
  for (std::string& name : names) {
    name = original;
    for (const Index index : indices) name += fmt::format(".{}", index);
    advance(indices, shape);
  }
  return names;
}

void number_columns(std::vector<VariableLayout>& variables) {
  Index first = 0;
  for (VariableLayout& variable : variables) {
    variable.columns = columns_of(variable.shape, first);
    first += variable.size();
  }
}

std::vector<VariableLayout> group_names(const std::vector<std::string>& names,
                                        const std::optional<LabelledArray>& array) {
  if (array) return {labelled_array(names, *array)};
  std::vector<IndexedName> indexed(names.size());
  std::transform(names.begin(), names.end(), indexed.begin(), split);
  std::vector<VariableLayout> variables;
  std::set<std::string> taken = {"chain", "draw"};
  for (const Piece& piece : fewer(find_pieces(indexed))) {
    const auto first = names.begin() + static_cast<std::ptrdiff_t>(piece.first);
    VariableLayout variable;
    variable.shape = piece.shape;
    if (piece.is_labelled) {
      variable.original = kManyName;
      variable.labels.assign(first, first + static_cast<std::ptrdiff_t>(piece.count));
    } else {
      variable.original = piece.shape.empty() ? *first : indexed[piece.first].base;
    }
    variable.name = free_array_name(variable.original, piece.shape.size(), taken);
    if (piece.is_labelled) variable.labels_name = dimension_name(variable.name, 0);
    variable.columns = columns_of(variable.shape, static_cast<Index>(piece.first));
    variables.push_back(std::move(variable));
  }
  return variables;
}

std::vector<std::string> element_names(const VariableLayout& variable) {
  return variable.labels.empty() ? element_names(variable.original, variable.shape)
                                 : variable.labels;
}

}  // namespace gadwall::files
