#include "stan/coordinate_names.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "run/file_groups.hpp"

namespace gadwall::stan {
namespace {

using Names = std::vector<std::string>;

/// The place of a variable among coordinates or values: one after the other.
struct Range {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

std::map<std::string, Range> variables_of(const Names& names) {
  std::map<std::string, Range> ranges;
  for (std::size_t i = 0; i < names.size(); ++i) {
    Range& range = ranges.try_emplace(array_of(names[i]), Range{i, i}).first->second;
    range.end = i + 1;
  }
  return ranges;
}

bool has_several_indices(const std::string& name) {
  return std::ranges::count(name, '.') > 1;
}

/// Which values move with which coordinates, from a point without symmetries.
class Moves {
 public:
  Moves(const Constrain& constrain, std::size_t dim)
      : constrain_(constrain), at_(static_cast<Index>(dim)) {
    for (Index j = 0; j < at_.size(); ++j) at_[j] = 0.1 * std::sin(static_cast<double>(j + 1));
    before_ = constrain_(at_);
  }

  /// Where the coordinates for which is_moved(j) are moved together.
  template <class F>
  std::vector<bool> by(F is_moved) const {
    Vector x = at_;
    for (Index j = 0; j < x.size(); ++j) {
      if (is_moved(static_cast<std::size_t>(j))) x[j] += 0.3;
    }
    const Vector after = constrain_(x);
    std::vector<bool> moved(static_cast<std::size_t>(after.size()));
    for (std::size_t i = 0; i < moved.size(); ++i) {
      moved[i] = after[static_cast<Index>(i)] != before_[static_cast<Index>(i)];
    }
    return moved;
  }

  /// For each value the numbers 1, 2, ... of the coordinates that move it, joined by "or": the
  /// number itself where there is one. Takes as many calls as the numbers have bits.
  std::vector<std::size_t> numbers() const {
    std::vector<std::size_t> numbers(static_cast<std::size_t>(before_.size()));
    const int bits = std::bit_width(static_cast<std::size_t>(at_.size()));
    for (int b = 0; b < bits; ++b) {
      const std::size_t bit = std::size_t{1} << b;
      const std::vector<bool> moved = by([&](std::size_t j) { return ((j + 1) & bit) != 0; });
      for (std::size_t i = 0; i < moved.size(); ++i) numbers[i] |= moved[i] ? bit : 0;
    }
    return numbers;
  }

 private:
  const Constrain& constrain_;
  Vector at_, before_;
};

/// Where every coordinate of a variable moves a value of its own; empty where not.
Names by_values(Range coordinates, Range of_values, const Names& values,
                const std::vector<std::size_t>& numbers) {
  if (coordinates.size() != of_values.size()) return {};
  Names names(coordinates.size());
  for (std::size_t i = of_values.begin; i < of_values.end; ++i) {
    const std::size_t j = numbers[i] - 1;  // 0 - 1 is outside, too
    if (j < coordinates.begin || j >= coordinates.end) return {};
    std::string& name = names[j - coordinates.begin];
    if (!name.empty()) return {};  // two values of one number: several coordinates move them
    name = values[i];
  }
  return names;
}

/// The name up to the `indices`-th index.
std::string element_of(const std::string& name, std::ptrdiff_t indices) {
  std::size_t end = name.find('.');
  for (; indices > 0 && end != name.npos; --indices) end = name.find('.', end + 1);
  return name.substr(0, end);
}

/// Where the elements of an array (simplexes, say) have as many coordinates each, one element after
/// the other: the first coordinate of each tells which element it is, and the others are counted.
/// `indices` name an element. Empty where values of several elements move.
Names by_elements(Range coordinates, Range of_values, const Names& values, std::ptrdiff_t indices,
                  std::size_t elements, const Moves& moves) {
  Names names;
  const std::size_t size = coordinates.size() / elements;
  for (std::size_t j = coordinates.begin; j < coordinates.end; j += size) {
    const std::vector<bool> moved = moves.by([&](std::size_t other) { return other == j; });
    std::string element;
    for (std::size_t i = of_values.begin; i < of_values.end; ++i) {
      if (!moved[i]) continue;
      const std::string its = element_of(values[i], indices);
      if (!element.empty() && its != element) return {};
      element = its;
    }
    for (std::size_t k = 1; k <= size; ++k) names.push_back(element + "." + std::to_string(k));
  }
  return names;
}

}  // namespace

Names names_of_coordinates(Names listed, const Names& values, const Constrain& constrain) {
  if (std::ranges::none_of(listed, has_several_indices)) return listed;
  const Moves moves(constrain, listed.size());
  const std::vector<std::size_t> numbers = moves.numbers();
  const std::map<std::string, Range> of_values = variables_of(values);
  for (const auto& [variable, range] : variables_of(listed)) {
    const std::string& first = listed[range.begin];
    const auto found = of_values.find(variable);
    if (!has_several_indices(first) || found == of_values.end()) continue;
    Names names = by_values(range, found->second, values, numbers);
    if (names.empty()) {
      const std::ptrdiff_t indices = std::ranges::count(first, '.') - 1;
      std::set<std::string> elements;
      for (std::size_t j = range.begin; j < range.end; ++j) {
        elements.insert(element_of(listed[j], indices));
      }
      names = by_elements(range, found->second, values, indices, elements.size(), moves);
    }
    const auto its = listed.begin() + static_cast<std::ptrdiff_t>(range.begin);
    if (std::is_permutation(names.begin(), names.end(), its,
                            its + static_cast<std::ptrdiff_t>(range.size()))) {
      std::ranges::move(names, its);
    }
  }
  return listed;
}

}  // namespace gadwall::stan
