// The summary of a run, computed once and kept beside its draws.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gadwall/files.hpp"

namespace gadwall::files {

/// What can be said of a run without its draws.
struct JudgedRun {
  Summary summary;
  Verdict verdict;
  std::vector<std::string> warnings;  // of reading
};

struct JudgeOptions {
  ReadOptions read = {};
  SummaryOptions summary = {};
  bool is_own = false;  // a NetCDF file that this process has written
  std::function<void(const std::string& what)> begins = {};  // work that takes long; may be empty
};

/// Reads, summarises and judges the run that the arguments stand for. Where it is one NetCDF file
/// of a million values or more the result is kept in NAME.summary, and used as long as the file is
/// the same: by its size, its time and bytes from all over it. Nothing is kept where the place
/// cannot be written or has a file of another kind.
JudgedRun judge_run(const std::vector<std::string>& arguments, const JudgeOptions& options = {});

/// The same for draws that have been read from there.
JudgedRun judge_draws(const std::vector<std::string>& arguments, const ReadResult& read,
                      const JudgeOptions& options = {});

std::string summary_path(const std::string& run);

/// Where it is one of ours.
void remove_kept_summary(const std::string& run);

}  // namespace gadwall::files
