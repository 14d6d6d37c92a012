// The checkpoint of a run: a file beside the draws from which the run can go on.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gadwall/run.hpp"

namespace gadwall::files {

struct Checkpoint {
  std::vector<std::string> arguments;               // of the command that began the run, if one did
  std::map<std::string, std::string> fingerprints;  // of the files it reads
  std::map<std::string, std::string> plan;          // plan_fingerprint
  std::string build;                                // the program that wrote it
  std::string directory;   // in which the run was begun, seen from that of its files
  std::string stopped_by;  // empty while the run goes
  RowsKept rows;           // of each chain, in the draws files
  std::string state;       // Restart::state, of one that was read
};

/// RunState::write.
using WriteState = std::function<void(const std::function<void(std::string_view)>&)>;

/// NAME.checkpoint; the one before is kept as NAME.checkpoint.old.
std::string checkpoint_path(const std::string& run);

/// Replaces the checkpoint in one step. RunError where that fails; the old one is then as it was.
void write_checkpoint(const std::string& run, const Checkpoint& checkpoint,
                      const WriteState& write_state);

struct CheckpointFound {
  Checkpoint checkpoint;
  std::string warning;  // empty, or: the last one is damaged, this is the one before
};

/// The last good one. UsageError where the run has none or a build with another layout wrote it,
/// RunError where all are damaged.
CheckpointFound read_checkpoint(const std::string& run);

/// The last one, or the one before it.
bool has_checkpoint(const std::string& run);

/// The last one without its state, unchecked; nothing where there is none that can be read.
std::optional<Checkpoint> checkpoint_header(const std::string& run);

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
