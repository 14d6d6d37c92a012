// The files of a run while it goes: NAME.nc, NAME.checkpoint and NAME.lock.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "files/checkpoint.hpp"
#include "files/netcdf_run.hpp"
#include "files/queued_sink.hpp"
#include "files/run_lock.hpp"
#include "files/short_run.hpp"
#include "gadwall/files.hpp"

namespace gadwall::files {

/// What a checkpoint keeps of the program that began the run.
struct RunOrigin {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> fingerprints;  // of the files it reads
  std::string directory = {};                       // in which it was called
};

/// A run that is to go on, locked.
struct StoppedRun {
  std::unique_ptr<RunLock> lock;
  Checkpoint checkpoint;
  std::vector<std::string> warnings;  // a damaged checkpoint was passed over, another build, ...
};

/// UsageError where another process has it or there is no checkpoint, RunError where all are
/// damaged.
StoppedRun take_up(const std::string& name);

/// Some file has a name that a run of so many chains may want.
bool is_run_taken(const std::string& name, Index chains);

using DrawWriters = std::vector<std::unique_ptr<DrawWriter>>;

class RunFiles {
 public:
  /// A new run, which takes the lock on its name. UsageError where files exist that it must not
  /// overwrite, or that would stand beside its own. others: they get the draws too.
  RunFiles(const RunPlan& plan, const FileOptions& options, RunOrigin origin, DrawWriters others);

  /// A run that goes on. UsageError where the plan is not that of the run.
  RunFiles(const RunPlan& plan, const FileOptions& options, StoppedRun stopped, RunOrigin origin,
           DrawWriters others);

  const std::string& name() const { return options_.name; }
  Sink& sink() { return *sink_; }

  /// For run(); this must live as long.
  Restart restart() const;

  /// The closing parts of NAME.nc and, where they are asked for and there are draws, the CSV files.
  void finish(const RunOutcome& outcome);

  /// What a reader of NAME.nc would find after finish(), where the run is short enough to be
  /// remembered; else nothing.
  std::optional<ReadResult> remembered(const RunOutcome& outcome) const;

  /// Where the run has just looked at all of its draws; else null.
  std::shared_ptr<const Summary> known_summary(const RunOutcome& outcome) const;

  /// NAME.nc, then the CSV files; none before the first row.
  std::vector<std::string> paths() const;

 private:
  void open(const RunPlan& plan, std::unique_ptr<NetcdfRun> netcdf, DrawWriters others);
  Draws read_back();
  void export_draws();

  FileOptions options_;
  RunOrigin origin_;
  std::map<std::string, std::string> plan_;
  std::unique_ptr<RunLock> lock_;
  std::string state_;             // of the run to go on with
  NetcdfRun* netcdf_ = nullptr;   // the sink's
  ShortRun* short_ = nullptr;     // the sink's; null where a run goes on that has draws
  std::vector<std::string> csv_;  // made at the end
  std::unique_ptr<QueuedSink> sink_;
};

}  // namespace gadwall::files
