#include "run/adaptation_record.hpp"

#include <algorithm>
#include <cmath>

namespace gadwall {
namespace {

constexpr Index kMostRows = 512;
// A bad proposal has r = -inf: a mean of objectives would show nothing else. e^-1000 is 0.
constexpr double kFullRejection = 1000;

/// Keeps the entries 1, 3, 5, ...: those that the doubled stride would have made.
template <class T>
void keep_every_second(std::vector<T>& values) {
  std::size_t kept = 0;
  for (std::size_t i = 1; i < values.size(); i += 2) values[kept++] = values[i];
  values.resize(kept);
}

}  // namespace

AdaptationRecord::AdaptationRecord(Index warmup)
    : stride_(std::max<Index>(1, std::min<Index>(warmup / (kMostRows / 2), 1024))) {}

void AdaptationRecord::add(const Transition& transition) {
  acceptance_sum_ += transition.accept.mean();
  log_ratio_sum_ += transition.log_ratio.cwiseMin(0).cwiseMax(-kFullRejection).mean();
  ++count_;
}

void AdaptationRecord::add_row(Index iteration, const Tuning& tuning, double beta,
                               const Vector& log_density) {
  const auto count = static_cast<double>(count_);
  const double log_determinant = tuning.factor().log_determinant();
  trace_.iteration.push_back(iteration);
  trace_.acceptance.push_back(acceptance_sum_ / count);
  trace_.step.push_back(tuning.step);
  trace_.log_determinant.push_back(log_determinant);
  trace_.beta.push_back(beta);
  trace_.objective.push_back(log_ratio_sum_ / count + beta * log_determinant);
  trace_.log_density.emplace_back(log_density.begin(), log_density.end());
  acceptance_sum_ = log_ratio_sum_ = 0;
  count_ = 0;
  if (static_cast<Index>(trace_.iteration.size()) == kMostRows) thin();
}

bool AdaptationRecord::may_be_broken() const {
  return !(trace_.acceptance.back() > 0) || !std::isfinite(trace_.log_determinant.back());
}

/// The means of a row that goes are lost: each row that stays speaks of the stretch before it.
void AdaptationRecord::thin() {
  stride_ *= 2;
  keep_every_second(trace_.iteration);
  for (auto* column : {&trace_.acceptance, &trace_.step, &trace_.log_determinant, &trace_.beta,
                       &trace_.objective}) {
    keep_every_second(*column);
  }
  keep_every_second(trace_.log_density);
}

AdaptationRecord AdaptationRecord::regrouped(const std::vector<Source>& lanes) {
  AdaptationRecord result = *lanes.front().record;
  const auto share = 1 / static_cast<double>(lanes.size());
  const auto mean = [&](auto column) {
    std::vector<double> means(result.trace_.iteration.size(), 0);
    for (const Source& source : lanes) {
      const std::vector<double>& values = source.record->trace_.*column;
      for (std::size_t i = 0; i < means.size(); ++i) means[i] += share * values[i];
    }
    result.trace_.*column = std::move(means);
  };
  for (auto column :
       {&AdaptationTrace::acceptance, &AdaptationTrace::step, &AdaptationTrace::log_determinant,
        &AdaptationTrace::beta, &AdaptationTrace::objective}) {
    mean(column);
  }
  for (std::size_t i = 0; i < result.trace_.log_density.size(); ++i) {
    std::vector<double>& row = result.trace_.log_density[i];
    row.clear();
    for (const Source& source : lanes) {
      row.push_back(source.record->trace_.log_density[i][static_cast<std::size_t>(source.lane)]);
    }
  }
  return result;
}

void AdaptationRecord::archive(Archive& a) {
  a("stride", stride_);
  a("acceptance sum", acceptance_sum_);
  a("log ratio sum", log_ratio_sum_);
  a("count", count_);
  a("trace", trace_);
}

}  // namespace gadwall
