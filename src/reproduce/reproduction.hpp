// A reproduction: what was asked for becomes repeats, those that are not done are run and kept,
// and tables, figures and the page are made from what is kept.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gadwall/run.hpp"
#include "reproduce/experiments.hpp"
#include "reproduce/repeat_store.hpp"

namespace gadwall {

struct ReproductionOptions {
  std::vector<Subject> subjects;
  std::filesystem::path out;
  std::optional<std::filesystem::path> data;
  std::optional<int> repeats;        // of every trial of a table; default: the paper's
  std::vector<std::string> methods;  // only these; empty: all
  double scale = 1;                  // shortens the expensive trials
  bool scale_all = false;            // shortens every trial
  int threads = 1;                   // repeats side by side
  bool force = false;                // run again what was kept with other settings
};

/// Told what goes on, from the thread that does it.
class ReproductionObserver {
 public:
  virtual ~ReproductionObserver() = default;
  /// The monitor lives until the repeat ends; its `stop` ends the repeat, which is then not kept.
  virtual void begins(const RepeatPlan& plan, Monitor& monitor) = 0;
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
  std::size_t repeats_kept() const { return kept_; }

  /// Runs what is left until it is done or the observer stops it.
  void run(ReproductionObserver& observer);

  /// Tables of what was asked for, and the page of all that is kept; the files written.
  std::vector<std::string> write() const;

 private:
  struct LoadedTarget {
    std::shared_ptr<const Target> target;
    std::string data;  // identifies the content of its files
  };

  void plan(const Need& need);
  void plan_repeat(const RepeatPlan& plan);
  bool load(const Experiment& experiment);
  std::vector<std::string> write_subject(const Subject& subject) const;

  ReproductionOptions options_;
  RepeatStore store_;
  std::map<std::string, LoadedTarget> targets_;  // by experiment
  std::vector<std::string> missing_;
  std::vector<RepeatPlan> left_;
  std::size_t kept_ = 0;
};

}  // namespace gadwall
