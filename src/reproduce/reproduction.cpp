// Plans repeats, finds those that are done, runs the others.
#include "reproduce/reproduction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "gadwall/error.hpp"
#include "gadwall/targets.hpp"
#include "io/checkpoint.hpp"

namespace gadwall {
namespace {

bool is_same(const RepeatName& a, const RepeatName& b) {
  return a.experiment == b.experiment && a.method == b.method && a.number == b.number;
}

template <class T>
bool contains(const std::vector<T>& values, const T& value) {
  return std::ranges::find(values, value) != values.end();
}

/// A directory that holds something else is not ours to write into.
void require_ours(const std::filesystem::path& out, bool force) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (force || !fs::exists(out, ignored) || fs::exists(out / "repeats", ignored)) return;
  if (fs::is_directory(out, ignored) && fs::is_empty(out, ignored)) return;
  throw UsageError(
      fmt::format("{}: exists and holds no reproduction; give --out another name, or "
                  "--force",
                  out.string()));
}

/// Of all files of a data set together.
std::string fingerprint(const DataFiles& files) {
  std::vector<std::string> prints;
  for (const std::string& path : files.paths) prints.push_back(file_fingerprint(path));
  return fmt::format("{}", fmt::join(prints, " + "));
}

/// Plans are taken in order by several threads; the first exception stops them all.
class Workers {
 public:
  Workers(const std::vector<RepeatPlan>& plans, const ReproductionObserver& observer)
      : plans_(plans), observer_(observer) {}

  template <class Task>
  void run(int threads, Task task) {
    {
      std::vector<std::jthread> others;
      for (int i = 1; i < threads; ++i) others.emplace_back([&] { work(task); });
      work(task);
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  template <class Task>
  void work(Task& task) {
    try {
      for (std::size_t i = next_++; i < plans_.size() && !is_over(); i = next_++) task(plans_[i]);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  bool is_over() {
    const std::lock_guard lock(mutex_);
    return failure_ != nullptr || observer_.is_stopped();
  }

  const std::vector<RepeatPlan>& plans_;
  const ReproductionObserver& observer_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::exception_ptr failure_;
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
  if (!load(experiment)) return;
  const int repeats = need.all_repeats ? options_.repeats.value_or(experiment.repeats) : 1;
  for (const Trial& trial : experiment.trials) {
    const std::string& method = trial.method.name;
    if (!need.methods.empty() && !contains(need.methods, method)) continue;
    if (!options_.methods.empty() && !contains(options_.methods, method)) continue;
    const bool shorter = options_.scale != 1 && (trial.expensive || options_.scale_all);
    const double scale = shorter ? options_.scale : 1;
    const Trial chosen = shortened(
        trial, scale, options_.scale_all ? Shortening::rehearsal : Shortening::comparable);
    const bool keeps_warmup = chosen.method.warmup == trial.method.warmup;
    for (int number = 1; number <= repeats; ++number) {
      plan_repeat({&experiment, chosen, scale, number, keeps_warmup ? scale : 1});
    }
  }
}

/// Numbers of different settings must not meet in one table.
void Reproduction::plan_repeat(const RepeatPlan& plan) {
  const auto is_it = [&](const RepeatPlan& other) { return is_same(other.name(), plan.name()); };
  if (std::ranges::any_of(left_, is_it)) return;
  const auto found = store_.find(plan.name());
  if (found) {
    const std::string& data = targets_.at(plan.experiment->name).data;
    const std::string differs = difference(found->settings, plan.settings(data));
    if (differs.empty()) {
      ++kept_;
      return;
    }
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
  Workers(left_, observer).run(options_.threads, [&](const RepeatPlan& plan) {
    const LoadedTarget& loaded = targets_.at(plan.experiment->name);
    Monitor monitor(1);
    observer.begins(plan, monitor);
    const auto repeat = run_repeat(plan, loaded.target, loaded.data, monitor);
    if (repeat) store_.keep(*repeat);
    observer.ends(plan, repeat);
  });
}

}  // namespace gadwall
