// Groups names such as theta.1.2 to arrays, and makes names that NetCDF allows.
#include "files/netcdf_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <numeric>

namespace gadwall::files {
namespace {

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

}  // namespace

std::string dimension_name(const std::string& variable, std::size_t index) {
  return fmt::format("{}_dim_{}", variable, index);
}

std::string free_name(const std::string& wanted, std::set<std::string>& taken) {
  std::string name = wanted.empty() ? "_" : wanted;
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

std::vector<VariableLayout> group_names(const std::vector<std::string>& names) {
  std::vector<IndexedName> indexed(names.size());
  std::transform(names.begin(), names.end(), indexed.begin(), split);
  std::vector<VariableLayout> variables;
  std::set<std::string> taken = {"chain", "draw"};
  for (std::size_t i = 0; i < names.size();) {
    const std::size_t length = array_length(indexed, i);
    VariableLayout variable;
    variable.original = length > 0 ? indexed[i].base : names[i];
    if (length > 0) variable.shape = indexed[i + length - 1].indices;
    variable.name = free_name(variable.original, taken);
    while (std::any_of(variable.shape.begin(), variable.shape.end(), [&, d = 0U](Index) mutable {
      return taken.contains(dimension_name(variable.name, d++));
    })) {
      variable.name = free_name(variable.name, taken);
    }
    for (std::size_t d = 0; d < variable.shape.size(); ++d) {
      taken.insert(dimension_name(variable.name, d));
    }
    variable.columns = columns_of(variable.shape, static_cast<Index>(i));
    variables.push_back(std::move(variable));
    i += std::max<std::size_t>(length, 1);
  }
  return variables;
}

}  // namespace gadwall::files
