// Plans repeats, finds those that are done, runs the others.
#include "reproduce/reproduction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "files/checkpoint.hpp"
#include "gadwall/error.hpp"
#include "gadwall/targets.hpp"
#include "threads/parallel.hpp"

namespace gadwall::app::reproduce {
namespace {

template <class T>
bool contains(const std::vector<T>& values, const T& value) {
  return std::ranges::find(values, value) != values.end();
}

/// A directory that holds something else is not ours to write into.
void require_ours(const std::filesystem::path& out, bool force) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::exists(out, ignored)) return;
  if (!fs::is_directory(out, ignored)) {
    throw UsageError(
        fmt::format("--out is '{}', expected a directory, or a new name for one", out.string()));
  }
  if (force || fs::is_directory(out / "repeats", ignored)) return;
  if (fs::is_empty(out, ignored)) return;
  throw UsageError(
      fmt::format("{}: exists and holds no reproduction; give --out another name, or "
                  "--force",
                  out.string()));
}

/// Of all files of a data set together.
std::string fingerprint(const DataFiles& files) {
  std::vector<std::string> prints;
  for (const std::string& path : files.paths) prints.push_back(files::file_fingerprint(path));
  return fmt::format("{}", fmt::join(prints, " + "));
}

/// Tells the observer that a repeat ended, whichever way.
class Observed {
 public:
  Observed(ReproductionObserver& observer, const RepeatPlan& plan, Monitor& monitor)
      : observer_(observer), plan_(plan) {
    observer_.begins(plan, monitor);
  }
  ~Observed() { observer_.ends(plan_, repeat); }
  Observed(const Observed&) = delete;
  Observed& operator=(const Observed&) = delete;

  std::optional<Repeat> repeat;  // nothing until it is done and kept

 private:
  ReproductionObserver& observer_;
  const RepeatPlan& plan_;
};

}  // namespace

Reproduction::Reproduction(ReproductionOptions options)
    : options_(std::move(options)), store_(options_.out / "repeats") {
  require_ours(options_.out, options_.force);
  for (const Subject& subject : options_.subjects) {
    for (const Need& need : subject.needs) plan(need);
  }
}

void Reproduction::plan(const Need& need) {
  const Experiment& experiment = find_experiment(need.experiment);
  const std::vector<Method> wanted = wanted_methods(experiment, need);
  if (wanted.empty() || !load(experiment)) return;
  for (const Method& method : wanted) {
    const bool shorter = options_.scale_all || experiment.is_expensive(method);
    const ShortenedMethod chosen =
        shortened(method, shorter ? options_.scale.value_or(method.share) : 1,
                  options_.scale_all ? Shortening::rehearsal : Shortening::comparable);
    const int repeats =
        need.all_repeats ? options_.repeats.value_or(experiment.repeats_of(method)) : 1;
    for (int number = 1; number <= repeats; ++number) plan_repeat({&experiment, chosen, number});
  }
}

std::vector<Method> Reproduction::wanted_methods(const Experiment& experiment,
                                                 const Need& need) const {
  const auto is_among = [](const std::vector<std::string>& names, const Method& method) {
    return names.empty() || contains(names, method.name);
  };
  std::vector<Method> wanted = experiment.methods;
  std::erase_if(wanted, [&](const Method& method) {
    return !is_among(need.methods, method) || !is_among(options_.methods, method);
  });
  return wanted;
}

/// Numbers of different settings must not meet in one row.
void Reproduction::plan_repeat(const RepeatPlan& plan) {
  if (!planned_.insert(plan.name()).second) return;
  const auto found = store_.find(plan.name());
  if (found) {
    const std::string& data = targets_.at(plan.experiment->name).data;
    const std::string differs = difference(found->settings, plan.settings(data));
    if (differs.empty()) return;
    if (!options_.force) {
      throw UsageError(
          fmt::format("{}: kept from other settings: {}; give --out another directory, "
                      "or --force to run it again",
                      store_.path(plan.name()).string(), differs));
    }
  }
  left_.push_back(plan);
}

/// False where its data is not there.
bool Reproduction::load(const Experiment& experiment) {
  if (targets_.contains(experiment.name)) return true;
  if (!experiment.built_in.empty()) {
    targets_[experiment.name] = {find_target(experiment.built_in).make({}).target, ""};
    return true;
  }
  const DataSet& set = find_data_set(experiment.data_set);
  const auto files = options_.data ? find_files(set, *options_.data) : std::nullopt;
  if (!files) {
    if (!contains(missing_, set.name)) missing_.push_back(set.name);
    return false;
  }
  targets_[experiment.name] = {load_data_set(set, *files, experiment.labels), fingerprint(*files)};
  return true;
}

void Reproduction::run(ReproductionObserver& observer) {
  std::error_code error;
  std::filesystem::create_directories(store_.directory(), error);
  if (error) {
    throw UsageError(
        fmt::format("{}: cannot be made: {}", store_.directory().string(), error.message()));
  }
  lock_.emplace(store_.directory().string());
  for_each_on_threads(options_.threads, left_.size(), [&](std::size_t i) {
    if (!observer.is_stopped()) run_one(left_[i], observer);
  });
}

void Reproduction::run_one(const RepeatPlan& plan, ReproductionObserver& observer) const {
  const LoadedTarget& loaded = targets_.at(plan.experiment->name);
  Monitor monitor(plan.method().chains);
  Observed observed(observer, plan, monitor);
  auto repeat = run_repeat(plan, loaded.target, loaded.data, monitor);
  if (repeat) store_.keep(*repeat);
  observed.repeat = std::move(repeat);
}

}  // namespace gadwall::app::reproduce
