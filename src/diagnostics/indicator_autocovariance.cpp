// Counts pairs of ones at a distance.
#include "diagnostics/indicator_autocovariance.hpp"

#include <bit>

namespace gadwall {
namespace {

constexpr Index kWord = 64;

using Bits = std::vector<std::uint64_t>;

/// Ones among the first `count` draws.
Index ones_before(const Bits& bits, Index count) {
  Index sum = 0;
  const Index whole = count / kWord;
  for (Index w = 0; w < whole; ++w) sum += std::popcount(bits[static_cast<std::size_t>(w)]);
  const Index rest = count % kWord;
  if (rest > 0) {
    const std::uint64_t mask = (std::uint64_t{1} << rest) - 1;
    sum += std::popcount(bits[static_cast<std::size_t>(whole)] & mask);
  }
  return sum;
}

/// Ones from draw `first` on.
Index ones_after(const Bits& bits, Index first) {
  const auto word = static_cast<std::size_t>(first / kWord);
  Index sum = std::popcount(bits[word] >> (first % kWord));
  for (std::size_t w = word + 1; w < bits.size(); ++w) sum += std::popcount(bits[w]);
  return sum;
}

/// #{i: b_i = b_{i + lag} = 1}
Index pairs_at(const Bits& bits, Index lag) {
  const auto whole = static_cast<std::size_t>(lag / kWord);
  const int rest = static_cast<int>(lag % kWord);
  Index sum = 0;
  if (rest == 0) {
    for (std::size_t w = 0; w + whole < bits.size(); ++w) {
      sum += std::popcount(bits[w] & bits[w + whole]);
    }
    return sum;
  }
  for (std::size_t w = 0; w + whole + 1 < bits.size(); ++w) {
    const std::uint64_t later = bits[w + whole] >> rest | bits[w + whole + 1]
                                                              << (static_cast<int>(kWord) - rest);
    sum += std::popcount(bits[w] & later);
  }
  return sum;
}

}  // namespace

IndicatorAutocovariance::IndicatorAutocovariance(const Matrix& values, double limit)
    : rows_(values.rows()), means_(values.cols()) {
  const auto words = static_cast<std::size_t>((rows_ + kWord - 1) / kWord + 1);  // one of zeros
  for (Index c = 0; c < values.cols(); ++c) {
    Words bits(words, 0);
    for (Index i = 0; i < rows_; ++i) {
      bits[static_cast<std::size_t>(i / kWord)] |= std::uint64_t{values(i, c) <= limit}
                                                   << (i % kWord);
    }
    ones_.push_back(ones_before(bits, rows_));
    means_[c] = static_cast<double>(ones_.back()) / static_cast<double>(rows_);
    chains_.push_back(std::move(bits));
  }
}

double IndicatorAutocovariance::operator()(Index lag) const {
  double sum = 0;
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    const Words& bits = chains_[c];
    const double p = means_[static_cast<Index>(c)];
    const Index head = ones_[c] - ones_after(bits, rows_ - lag);
    const Index tail = ones_[c] - ones_before(bits, lag);
    sum += static_cast<double>(pairs_at(bits, lag)) - p * static_cast<double>(head + tail) +
           static_cast<double>(rows_ - lag) * p * p;
  }
  return sum / static_cast<double>(rows_ * means_.size());
}

bool IndicatorAutocovariance::is_constant() const {
  return (means_.array() == 0).all() || (means_.array() == 1).all();
}

}  // namespace gadwall
