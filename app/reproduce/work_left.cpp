// Times of repeats to come, from those that are done and from the paper.
#include "reproduce/work_left.hpp"

#include <limits>

#include "reproduce/paper_tables.hpp"

namespace gadwall::app::reproduce {
namespace {

std::string key(const std::string& experiment, const std::string& method) {
  return experiment + "/" + method;
}

/// The paper's table of the same problem.
std::string table_of(std::string experiment) {
  const std::string beyond = "beyond-";
  if (experiment.starts_with(beyond)) experiment.erase(0, beyond.size());
  return experiment == "mnist" ? "mnist-authors" : experiment;
}

}  // namespace

double paper_seconds(const std::string& experiment, const std::string& method) {
  const std::string table = table_of(experiment);
  const Method& wanted = find_method(method);
  double seconds = 10;  // the illustrations
  for (const PaperRow& row : paper_rows()) {
    if (row.experiment != table) continue;
    if (row.method == method) return row.seconds;
    const Method& printed = find_method(row.method);
    if (printed.name == "gadMALAf")
      seconds = row.seconds;  // for a sampler that the paper does not have
    if (printed.sampler != wanted.sampler) continue;
    if (!wanted.has_leapfrogs()) return row.seconds;  // another setting
    return row.seconds * wanted.number("leapfrog") / printed.number("leapfrog");
  }
  return seconds;
}

void WorkLeft::learn(const Repeat& repeat) {
  Measured& method = by_method_[key(repeat.name.experiment, repeat.name.method)];
  method.seconds += repeat.wall_seconds;
  ++method.count;
  ours_ += repeat.wall_seconds;
  theirs_ += repeat.scale * paper_seconds(repeat.name.experiment, repeat.name.method);
}

double WorkLeft::seconds(const RepeatPlan& plan) const {
  const RepeatName name = plan.name();
  const auto measured = by_method_.find(key(name.experiment, name.method));
  if (measured != by_method_.end()) return measured->second.seconds / measured->second.count;
  if (theirs_ == 0) return std::numeric_limits<double>::quiet_NaN();
  return plan.chosen.scale * paper_seconds(name.experiment, name.method) * ours_ / theirs_;
}

}  // namespace gadwall::app::reproduce
