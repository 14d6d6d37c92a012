// The checkpoint of a run: a file beside the draws from which the run can go on.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gadwall/run.hpp"

namespace gadwall::files {

struct Checkpoint {
  std::vector<std::string> arguments;               // of the command that began the run, if one did
  std::map<std::string, std::string> fingerprints;  // of the files it reads
  std::map<std::string, std::string> plan;          // plan_fingerprint
  std::string build;                                // the program that wrote it
  std::string stopped_by;                           // empty while the run goes
  RowsKept rows;                                    // of each chain, in the draws files
  std::string state;                                // Restart::state
};

/// NAME.checkpoint; the one before is kept as NAME.checkpoint.old.
std::string checkpoint_path(const std::string& run);

/// Replaces the checkpoint in one step. RunError where that fails; the old one is then as it was.
void write_checkpoint(const std::string& run, const Checkpoint& checkpoint);

struct CheckpointFound {
  Checkpoint checkpoint;
  std::string warning;  // empty, or: the last one is damaged, this is the one before
};

/// The last good one. UsageError where the run has none, RunError where all are damaged.
CheckpointFound read_checkpoint(const std::string& run);

/// The last one, or the one before it.
bool has_checkpoint(const std::string& run);

/// Where there are any.
void remove_checkpoints(const std::string& run);

/// What of a plan must be the same when a run goes on: the state does not fit another.
std::map<std::string, std::string> plan_fingerprint(const RunPlan& plan);

/// UsageError that names what differs.
void check_plan(const std::string& run, const Checkpoint& checkpoint, const RunPlan& plan);

/// What identifies the content of a file: its size and a checksum.
std::string file_fingerprint(const std::string& path);

/// Version, compiler and processor: draws are bit-identical for the same build only.
std::string build_identity();

}  // namespace gadwall::files
