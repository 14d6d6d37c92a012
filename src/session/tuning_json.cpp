#include "session/tuning_json.hpp"

#include <fmt/format.h>

#include <limits>

#include "gadwall/error.hpp"

namespace gadwall::session {
namespace {

using Json = nlohmann::json;

/// The array that other files call factor, a matrix of which the triangle alone is written.
bool is_triangle(const NamedArray& array) {
  return array.name == "factor" && array.shape.size() == 2;
}

std::string key_of(const std::string& array) {
  return array == "factor" ? "L" : array;
}

Json rows_of(const NamedArray& array) {
  Json rows = Json::array();
  const Index columns = array.shape[1];
  for (Index i = 0; i < array.shape[0]; ++i) {
    const auto begin = array.values.begin() + i * columns;
    rows.push_back(std::vector<double>(begin, begin + (is_triangle(array) ? i + 1 : columns)));
  }
  return rows;
}

/// null is how JSON has the numbers that are none.
double number_from(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

/// Checked before the memory is taken, which can be more than that of the text.
void check_lengths(const NamedArray& array, const Json& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t expected =
        is_triangle(array) ? i + 1 : static_cast<std::size_t>(array.shape[1]);
    if (rows[i].is_array() && rows[i].size() == expected) continue;
    throw UsageError(is_triangle(array)
                         ? "L is not a lower triangle"
                         : fmt::format("the rows of {} differ in length", array.name));
  }
}

NamedArray array_from(const std::string& name, const Json& json) {
  NamedArray array{name, {static_cast<Index>(json.size())}, {}};
  if (json.empty() || !json[0].is_array()) {
    for (const Json& number : json) array.values.push_back(number_from(number));
    return array;
  }
  array.shape.push_back(static_cast<Index>(name == "factor" ? json.size() : json[0].size()));
  check_lengths(array, json);
  const auto columns = static_cast<std::size_t>(array.shape[1]);
  array.values.assign(json.size() * columns, 0);
  for (std::size_t i = 0; i < json.size(); ++i) {
    for (std::size_t j = 0; j < json[i].size(); ++j) {
      array.values[i * columns + j] = number_from(json[i][j]);
    }
  }
  return array;
}

}  // namespace

void add_factor(const Factor& factor, Json& json) {
  json["metric"] = to_string(factor.kind());
  json["dim"] = factor.dim();
  for (const NamedArray& array : factor.parts()) {
    json[key_of(array.name)] = array.shape.size() == 2 ? rows_of(array) : Json(array.values);
  }
}

Factor factor_from(const Json& json) {
  const Metric form = metric_from_string(json.at("metric"));
  constexpr std::uint64_t most = 1'000'000'000;
  const Json& dim = json.at("dim");
  if (!dim.is_number_unsigned() || dim.get<std::uint64_t>() < 1 ||
      dim.get<std::uint64_t>() > most) {
    throw UsageError(
        fmt::format("dim is {}, expected a whole number from 1 to {}", dim.dump(), most));
  }
  const Index n = dim.get<Index>();
  std::vector<NamedArray> parts;
  for (const std::string& name : Factor::part_names(form)) {
    parts.push_back(array_from(name, json.at(key_of(name))));
  }
  return Factor::from_parts(form, n, parts);
}

void add_warp(const Warp& warp, Json& json) {
  Json layers = Json::array();
  for (const WarpLayer& layer : warp.layers()) {
    Json one = Json::object();
    for (const NamedArray& array : layer.parts()) {
      one[array.name] = array.shape.size() == 2 ? rows_of(array) : Json(array.values);
    }
    layers.push_back(std::move(one));
  }
  json["warp"] = std::move(layers);
}

Warp warp_from(const Json& json, Index n) {
  std::vector<WarpLayer> layers;
  for (const Json& one : json) {
    std::vector<NamedArray> parts;
    for (const std::string& name : WarpLayer::part_names()) {
      parts.push_back(array_from(name, one.at(name)));
    }
    layers.push_back(WarpLayer::from_parts(n, parts));
  }
  return Warp(std::move(layers));
}

}  // namespace gadwall::session
