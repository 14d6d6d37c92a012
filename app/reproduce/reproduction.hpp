// A reproduction: what was asked for becomes repeats, those that are not done are run and kept,
// and tables, figures and the page are made from what is kept.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "files/run_lock.hpp"
#include "gadwall/run.hpp"
#include "reproduce/experiments.hpp"
#include "reproduce/repeat_store.hpp"

namespace gadwall::app::reproduce {

struct ReproductionOptions {
  std::vector<Subject> subjects;
  std::filesystem::path out = "reproduction";
  std::optional<std::filesystem::path> data;  // without: only what needs none
  std::optional<int> repeats;        // of every row of a table; default: Experiment::repeats_of
  std::vector<std::string> methods;  // only these; empty: all
  std::optional<double> scale;       // shortens the expensive rows; default: Method::share
  bool scale_all = false;            // shortens every row
  int threads = 1;                   // repeats side by side, which then share the machine: times
                                     // are longer
  bool force = false;                // run again what was kept with other settings
};

/// Told what goes on, from the thread that does it.
class ReproductionObserver {
 public:
  virtual ~ReproductionObserver() = default;
  /// The monitor lives until the repeat ends; its `stop` ends the repeat, which is then not kept.
  virtual void begins(const RepeatPlan& plan, Monitor& monitor) = 0;
  /// Without a repeat where it was stopped or failed. Must not throw.
  virtual void ends(const RepeatPlan& plan, const std::optional<Repeat>& repeat) = 0;
  virtual bool is_stopped() const = 0;
};

class Reproduction {
 public:
  /// UsageError where repeats were kept with other settings, or the directory holds something else
  /// (unless forced), or a data file cannot be used.
  explicit Reproduction(ReproductionOptions options);

  /// Data sets that are asked for and not there.
  const std::vector<std::string>& missing_data() const { return missing_; }

  /// What is still to be run, in order.
  const std::vector<RepeatPlan>& left() const { return left_; }
  std::size_t repeats_kept() const { return planned_.size() - left_.size(); }

  /// Runs what is left until it is done or the observer stops it. After an exception no further
  /// repeat begins; those that run are finished and kept. UsageError where another process is at
  /// work in the directory; until this object ends no other can.
  void run(ReproductionObserver& observer);

  /// Tables of what was asked for, and the page of all that is kept; the files written.
  std::vector<std::string> write() const;

 private:
  struct LoadedTarget {
    std::shared_ptr<const Target> target;
    std::string data;  // identifies the content of its files
  };

  void plan(const Need& need);
  std::vector<Method> wanted_methods(const Experiment& experiment, const Need& need) const;
  void plan_repeat(const RepeatPlan& plan);
  void run_one(const RepeatPlan& plan, ReproductionObserver& observer) const;
  bool load(const Experiment& experiment);
  std::vector<std::string> write_subject(const Subject& subject) const;

  ReproductionOptions options_;
  RepeatStore store_;
  std::map<std::string, LoadedTarget> targets_;  // by experiment
  std::vector<std::string> missing_;
  std::set<RepeatName> planned_;  // all that was asked for
  std::vector<RepeatPlan> left_;  // those of them that are not done
  std::optional<files::RunLock> lock_;
};

}  // namespace gadwall::app::reproduce
