#include "factors/parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "gadwall/error.hpp"

namespace gadwall {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::string shape_text(const std::vector<Index>& shape) {
  return shape.empty() ? "one number" : fmt::format("{}", fmt::join(shape, " x "));
}

/// Extents come from files: their product may overflow.
bool has_as_many_values(const NamedArray& array) {
  std::size_t left = array.values.size();
  for (const Index extent : array.shape) {
    if (extent < 0) return false;
    if (extent == 0) return array.values.empty();
    if (left % static_cast<std::size_t>(extent) != 0) return false;
    left /= static_cast<std::size_t>(extent);
  }
  return left == 1;
}

}  // namespace

void refuse_part(const std::string& name, const std::string& why) {
  throw UsageError(fmt::format("'{}' of the factor {}", name, why));
}

NamedArray part_from(const std::string& name, const Vector& values) {
  return {name, {values.size()}, {values.begin(), values.end()}};
}

NamedArray part_from(const std::string& name, const Matrix& values) {
  NamedArray array{name, {values.rows(), values.cols()}, {}};
  array.values.resize(static_cast<std::size_t>(values.size()));
  Eigen::Map<RowMajor>(array.values.data(), values.rows(), values.cols()) = values;
  return array;
}

const NamedArray* PartsReader::find(const std::string& name) const {
  const auto found = std::ranges::find(parts_, name, &NamedArray::name);
  return found == parts_.end() ? nullptr : &*found;
}

const NamedArray& PartsReader::get(const std::string& name) const {
  const NamedArray* array = find(name);
  if (array == nullptr) refuse_part(name, "is missing");
  if (!has_as_many_values(*array)) {
    refuse_part(name, fmt::format("has {} values, expected {}", array->values.size(),
                                  shape_text(array->shape)));
  }
  return *array;
}

const NamedArray& PartsReader::get(const std::string& name, const std::vector<Index>& shape) const {
  const NamedArray& array = get(name);
  if (array.shape != shape) {
    refuse_part(name,
                fmt::format("is {}, expected {}", shape_text(array.shape), shape_text(shape)));
  }
  const auto bad = std::ranges::find_if(array.values, [](double v) { return !std::isfinite(v); });
  if (bad != array.values.end()) {
    refuse_part(name, fmt::format("holds {}, expected finite numbers", *bad));
  }
  return array;
}

Index PartsReader::columns(const std::string& name) const {
  const NamedArray& array = get(name);
  if (array.shape.size() != 2) {
    refuse_part(name, fmt::format("is {}, expected a matrix", shape_text(array.shape)));
  }
  return array.shape[1];
}

Vector PartsReader::positive(const std::string& name, Index n) const {
  const NamedArray& array = get(name, {n});
  const auto bad = std::ranges::find_if(array.values, [](double v) { return v <= 0; });
  if (bad != array.values.end()) {
    refuse_part(name, fmt::format("holds {}, expected positive numbers", *bad));
  }
  return Eigen::Map<const Vector>(array.values.data(), n);
}

Matrix PartsReader::matrix(const std::string& name, Index rows, Index columns) const {
  const NamedArray& array = get(name, {rows, columns});
  return Eigen::Map<const RowMajor>(array.values.data(), rows, columns);
}

}  // namespace gadwall
