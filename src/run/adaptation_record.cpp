#include "run/adaptation_record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gadwall {
namespace {

constexpr Index kMostRows = 512;
constexpr double kNotRecorded = std::numeric_limits<double>::quiet_NaN();
// A bad proposal has r = -inf: a mean would show nothing else. e^-1000 is 0.
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

RecentMeans AdaptationRecord::recent() const {
  const auto count = static_cast<double>(count_);
  return {acceptance_sum_ / count, log_ratio_sum_ / count};
}

void AdaptationRecord::add_row(Index iteration, const Tuning& tuning, const NamedNumbers& recorded,
                               const Vector& log_density) {
  trace_.acceptance.push_back(recent().acceptance);
  trace_.iteration.push_back(iteration);
  trace_.step.push_back(tuning.step);
  trace_.log_determinant.push_back(tuning.factor().log_determinant());
  trace_.log_density.emplace_back(log_density.begin(), log_density.end());
  const std::size_t rows = trace_.iteration.size();
  for (const auto& [name, number] : recorded) {
    trace_.recorded[name].resize(rows - 1, kNotRecorded);
    trace_.recorded[name].push_back(number);
  }
  for (auto& [name, column] : trace_.recorded) column.resize(rows, kNotRecorded);
  acceptance_sum_ = log_ratio_sum_ = 0;
  count_ = 0;
  if (static_cast<Index>(rows) == kMostRows) thin();
}

bool AdaptationRecord::may_be_broken() const {
  return !(trace_.acceptance.back() > 0) || !std::isfinite(trace_.log_determinant.back());
}

/// The means of a row that goes are lost: each row that stays speaks of the stretch before it.
void AdaptationRecord::thin() {
  stride_ *= 2;
  keep_every_second(trace_.iteration);
  for (auto* column : {&trace_.acceptance, &trace_.step, &trace_.log_determinant}) {
    keep_every_second(*column);
  }
  for (auto& [name, column] : trace_.recorded) keep_every_second(column);
  keep_every_second(trace_.log_density);
}

AdaptationRecord AdaptationRecord::regrouped(const std::vector<Source>& lanes) {
  AdaptationRecord result = *lanes.front().record;
  const auto share = 1 / static_cast<double>(lanes.size());
  const auto mean = [&](auto value) {
    std::vector<double> means(result.trace_.iteration.size(), 0);
    for (const Source& source : lanes) {
      for (std::size_t i = 0; i < means.size(); ++i) {
        means[i] += share * value(source.record->trace_, i);
      }
    }
    return means;
  };
  for (auto column :
       {&AdaptationTrace::acceptance, &AdaptationTrace::step, &AdaptationTrace::log_determinant}) {
    result.trace_.*column =
        mean([column](const AdaptationTrace& t, std::size_t i) { return (t.*column)[i]; });
  }
  for (const Source& source : lanes) {
    const auto& recorded = source.record->trace_.recorded;
    result.trace_.recorded.insert(recorded.begin(), recorded.end());
  }
  for (auto& [name, column] : result.trace_.recorded) {
    column = mean([&key = name](const AdaptationTrace& t, std::size_t i) {
      const auto found = t.recorded.find(key);
      return found != t.recorded.end() ? found->second[i] : kNotRecorded;
    });
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
