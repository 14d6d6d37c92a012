// A layer of a warp as named arrays, for files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "gadwall/error.hpp"
#include "gadwall/warp.hpp"

namespace gadwall {
namespace {

NamedArray list_part(const std::string& name, const Vector& values) {
  return {name, {values.size()}, {values.begin(), values.end()}};
}

NamedArray rows_part(const std::string& name, const Matrix& matrix) {
  NamedArray part{name, {matrix.rows(), matrix.cols()}, {}};
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j) part.values.push_back(matrix(i, j));
  }
  return part;
}

void check_part(const NamedArray& part, const std::vector<Index>& shape) {
  const bool is_finite =
      std::ranges::all_of(part.values, [](double v) { return std::isfinite(v); });
  if (part.shape == shape && is_finite) return;
  throw UsageError(
      fmt::format("{} of the warp is not what a warp has: expected {}{} finite numbers", part.name,
                  shape[0], shape.size() == 2 ? fmt::format(" x {}", shape[1]) : ""));
}

Vector vector_of(const NamedArray& part) {
  return Eigen::Map<const Vector>(part.values.data(), static_cast<Index>(part.values.size()));
}

Index coordinate_of(double value, Index n, const std::string& name) {
  if (value >= 0 && value < static_cast<double>(n) && value == std::floor(value)) {
    return static_cast<Index>(value);
  }
  throw UsageError(
      fmt::format("{} of the warp is {}, expected a coordinate from 0 to {}", name, value, n - 1));
}

void check_layer(const WarpLayer& layer) {
  std::set<Index> distinct(layer.members.begin(), layer.members.end());
  distinct.insert(layer.driver);
  if (distinct.size() != layer.members.size() + 1) {
    throw UsageError("members of the warp: expected each coordinate once, without the driver");
  }
  const auto c = layer.centring.array();
  if ((c < 0).any() || (c > 1).any()) {
    throw UsageError("centring of the warp: expected numbers from 0 to 1");
  }
  const Bend& b = layer.bend;
  if (!(b.left > 0) || !(b.right > 0) || b.left_square < 0 || b.right_square < 0) {
    throw UsageError("bend of the warp: expected an offset and slopes that are positive");
  }
}

}  // namespace

const std::vector<std::string>& WarpLayer::part_names() {
  static const std::vector<std::string> names = {"driver",      "members",    "exponent",
                                                 "centre",      "centring",   "pull",
                                                 "driven_pull", "directions", "bend"};
  return names;
}

std::vector<NamedArray> WarpLayer::parts() const {
  const auto one = [](const std::string& name, double value) {
    return NamedArray{name, {1}, {value}};
  };
  NamedArray rows{"members", {static_cast<Index>(members.size())}, {}};
  rows.values.assign(members.begin(), members.end());
  return {one("driver", static_cast<double>(driver)),
          rows,
          one("exponent", exponent),
          one("centre", centre),
          list_part("centring", centring),
          list_part("pull", pull),
          list_part("driven_pull", driven_pull),
          rows_part("directions", directions),
          {"bend", {5}, {bend.offset, bend.left, bend.right, bend.left_square, bend.right_square}}};
}

bool Warp::operator==(const Warp& other) const {
  const auto same_part = [](const NamedArray& a, const NamedArray& b) {
    return a.shape == b.shape && a.values == b.values;
  };
  return std::ranges::equal(layers_, other.layers_, [&](const WarpLayer& a, const WarpLayer& b) {
    return std::ranges::equal(a.parts(), b.parts(), same_part);
  });
}

WarpLayer WarpLayer::from_parts(Index n, const std::vector<NamedArray>& parts) {
  const auto m = static_cast<Index>(parts.at(1).values.size());
  const std::vector<std::vector<Index>> shapes = {{1}, {m}, {1}, {1}, {m}, {m}, {m}, {m, m}, {5}};
  for (std::size_t i = 0; i < shapes.size(); ++i) check_part(parts.at(i), shapes[i]);
  WarpLayer layer;
  layer.driver = coordinate_of(parts[0].values[0], n, "driver");
  for (const double j : parts[1].values) layer.members.push_back(coordinate_of(j, n, "members"));
  layer.exponent = parts[2].values[0];
  layer.centre = parts[3].values[0];
  layer.centring = vector_of(parts[4]);
  layer.pull = vector_of(parts[5]);
  layer.driven_pull = vector_of(parts[6]);
  using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  layer.directions = Eigen::Map<const ByRows>(parts[7].values.data(), m, m);
  const std::vector<double>& bend = parts[8].values;
  layer.bend = {bend[0], bend[1], bend[2], bend[3], bend[4]};
  check_layer(layer);
  if (!layer.complete()) throw UsageError("directions of the warp have no inverse");
  return layer;
}

}  // namespace gadwall
