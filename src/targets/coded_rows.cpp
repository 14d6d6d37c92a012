#include "targets/coded_rows.hpp"

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

/// The largest step of which all numbers are a whole multiple away from the usual one, up to
/// rounding; 0 where there is none, or where codes would be too large.
double common_step(const auto& numbers, double usual) {
  const double widest = (numbers.array() - usual).abs().maxCoeff();
  if (widest == 0) return 1;
  const double smallest = widest / kMostSteps;
  double step = widest;
  for (const double number : numbers) {
    const double excess = std::abs(number - usual);
    const double rest = std::abs(excess - step * in_steps(excess, step));
    if (rest > smallest / 4) step = common_divisor(step, excess, smallest / 4);
    if (!(step > smallest * (1 - 1e-9))) return 0;
  }
  step = widest / in_steps(widest, step);  // as exact as the widest
  constexpr double roundings = 4 * std::numeric_limits<double>::epsilon();
  for (const double number : numbers) {
    const double again = usual + step * in_steps(number - usual, step);
    const double allowed = roundings * std::max(std::abs(number), std::abs(usual));
    if (!(std::abs(again - number) <= allowed)) return 0;
  }
  return step;
}

}  // namespace

CodedRows::CodedRows(const Matrix& design, const Vector& signs, Rival rival) : signs_(signs) {
  if (design.size() == 0 || design.cols() > kMostColumns || !find_steps(design)) return;
  list_blocks(design);
  const double block_cost = rival.bytes > kFarBytes ? kBlockCostFar : kBlockCost;
  if (block_cost * blocks_a_row() < rival.numbers_a_row) return;
  codes_ = {};
  places_ = {};
  starts_ = {};
}

Index CodedRows::padded_columns() const {
  return round_up(usual_.size(), 4);
}

double CodedRows::blocks_a_row() const {
  return static_cast<double>(places_.size()) / static_cast<double>(signs_.size());
}

bool CodedRows::find_steps(const Matrix& design) {
  usual_.resize(design.cols());
  step_.resize(design.cols());
  for (Index j = 0; j < design.cols(); ++j) {
    usual_[j] = majority_candidate(design.col(j));
    step_[j] = common_step(design.col(j), usual_[j]);
    if (step_[j] == 0) return false;
  }
  return true;
}

void CodedRows::list_blocks(const Matrix& design) {
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
    starts_.push_back(places_.size());
  }
}

}  // namespace gadwall
