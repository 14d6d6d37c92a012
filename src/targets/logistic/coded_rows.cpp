#include "targets/logistic/coded_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/majority.hpp"
#include "math/round_up.hpp"

namespace gadwall {
namespace {

constexpr double kMostSteps = std::numeric_limits<std::int16_t>::max();
constexpr Index kMostColumns = 4 * Index{std::numeric_limits<std::uint16_t>::max()};

// A block takes about as long as this many numbers of a dense row, as measured: the more, the
// nearer those are.
constexpr double kBlockCost = 10;
constexpr double kBlockCostFar = 3;
constexpr double kFarBytes = 16e6;  // more than a core can count on of the third-level cache

/// Euclid's algorithm for numbers that are whole multiples of something up to rounding; what is
/// below `smallest` counts as zero.
double common_divisor(double a, double b, double smallest) {
  while (b > smallest) {
    double rest = std::fmod(a, b);
    if (b - rest < smallest) rest = 0;
    a = b;
    b = rest;
  }
  return a;
}

double in_steps(double excess, double step) {
  return std::round(excess / step);
}

/// What most numbers are; where there is no such number the one nearest to zero, as differences
/// from a large one would lose digits.
double usual_value(const auto& numbers) {
  const double candidate = majority_candidate(numbers);
  if (2 * (numbers.array() == candidate).count() > numbers.size()) return candidate;
  Index nearest = 0;
  numbers.cwiseAbs().minCoeff(&nearest);
  return numbers[nearest];
}

/// The largest step of which all numbers are a whole multiple away from the usual one, up to
/// rounding; 0 where there is none, or where codes would be too large.
double common_step(const auto& numbers, double usual) {
  const double widest = (numbers.array() - usual).abs().template maxCoeff<Eigen::PropagateNaN>();
  if (widest == 0) return 1;
  const double smallest = widest / kMostSteps;
  double step = widest;
  for (const double number : numbers) {
    if (number == usual) continue;
    const double excess = std::abs(number - usual);
    const double rest = std::abs(excess - step * in_steps(excess, step));
    if (rest > smallest / 4) step = common_divisor(step, excess, smallest / 4);
    if (!(step > smallest * (1 - 1e-9))) return 0;
  }
  step = widest / in_steps(widest, step);  // as exact as the widest
  constexpr double roundings = 4 * std::numeric_limits<double>::epsilon();
  for (const double number : numbers) {
    if (number == usual) continue;
    const double again = usual + step * in_steps(number - usual, step);
    const double allowed = roundings * std::max(std::abs(number), std::abs(usual));
    if (!(std::abs(again - number) <= allowed)) return 0;
  }
  return step;
}

}  // namespace

std::optional<CodedRows> CodedRows::of(const Matrix& design, const Vector& signs, Rival rival) {
  if (design.size() == 0 || design.cols() > kMostColumns) return {};
  CodedRows rows;
  rows.signs_ = signs;
  const double block_cost = rival.bytes > kFarBytes ? kBlockCostFar : kBlockCost;
  const double most_blocks = rival.cost_a_row / block_cost * static_cast<double>(design.rows());
  if (!rows.find_steps(design) || !rows.list_blocks(design, most_blocks)) return {};
  return rows;
}

Index CodedRows::padded_columns() const {
  return round_up(usual_.size(), 4);
}

bool CodedRows::find_steps(const Matrix& design) {
  usual_.resize(design.cols());
  step_.resize(design.cols());
  for (Index j = 0; j < design.cols(); ++j) {
    usual_[j] = usual_value(design.col(j));
    step_[j] = common_step(design.col(j), usual_[j]);
    if (step_[j] == 0) return false;
  }
  return true;
}

/// False as soon as there are too many.
bool CodedRows::list_blocks(const Matrix& design, double most_blocks) {
  const Index columns = design.cols();
  starts_.push_back(0);
  for (Index i = 0; i < design.rows(); ++i) {
    for (Index first = 0; first < columns; first += 4) {
      std::int16_t codes[4] = {};
      for (Index j = first; j < std::min(first + 4, columns); ++j) {
        codes[j - first] =
            static_cast<std::int16_t>(signs_[i] * in_steps(design(i, j) - usual_[j], step_[j]));
      }
      if (std::ranges::all_of(codes, [](auto code) { return code == 0; })) continue;
      codes_.insert(codes_.end(), codes, codes + 4);
      places_.push_back(static_cast<std::uint16_t>(first / 4));
    }
    if (static_cast<double>(places_.size()) >= most_blocks) return false;
    starts_.push_back(places_.size());
  }
  codes_.shrink_to_fit();
  places_.shrink_to_fit();
  return true;
}

}  // namespace gadwall
