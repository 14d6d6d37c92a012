// Runs on disk: written while they go, read, resumed, exported.
//
// The draws of the run NAME are in NAME.nc, which is valid at every moment; NAME.checkpoint beside
// it lets the run go on after an interrupt, a kill or a power cut, with the same draws to the last
// bit. docs/file-formats.md describes the files.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gadwall/draws.hpp"
#include "gadwall/sample.hpp"
#include "gadwall/summary.hpp"

namespace gadwall::files {

struct FileOptions {
  std::string name = {};           // of the run: NAME.nc, NAME.checkpoint
  bool overwrite = false;          // files of an earlier run
  double checkpoint_seconds = 60;  // between checkpoints; 0: none, and no resume
  bool csv = false;                // NAME_1.csv, NAME_2.csv, ... too, when the run ends
  int significant_digits = 0;      // in them; 0: as many as are exact
  std::string target = "target";   // what the files call it
  std::map<std::string, std::string> target_settings = {};  // what it was made with
  std::string command = {};                                 // that repeats the run
  Monitor* monitor = nullptr;                               // to watch the run and to stop it
};

struct FileResult {
  std::string name;                   // of the run
  std::vector<std::string> paths;     // NAME.nc, then the CSV files; none before the first row
  RunFacts facts;                     // stopped_by says how the run ended
  Summary summary;                    // of the draws in NAME.nc; empty where there is none
  std::vector<std::string> warnings;  // a damaged checkpoint was passed over, another build, ...
};

/// Samples into files, in constant memory. UsageError for options that do not fit and for files
/// that exist, RunError where no start has a finite density or a file cannot be written.
FileResult sample_to_file(std::shared_ptr<const Target> target, const SampleOptions& options,
                          const FileOptions& files);

/// With a sampler that is not in the catalogue; options.sampler is ignored.
FileResult sample_to_file(std::shared_ptr<const Target> target, const SamplerRow& sampler,
                          const SampleOptions& options, const FileOptions& files);

/// Goes on with the run files.name, given what it was begun with: UsageError where sampler, its
/// numbers, dimension, chains, lanes, warm-up, thinning or seed are others. Draws, the rules that
/// end the run and threads may differ. The target itself cannot be compared.
FileResult resume(std::shared_ptr<const Target> target, const SampleOptions& options,
                  const FileOptions& files);
FileResult resume(std::shared_ptr<const Target> target, const SamplerRow& sampler,
                  const SampleOptions& options, const FileOptions& files);

template <class F>
requires DensityOfVectors<F> || DensityOfSpans<F> FileResult
sample_to_file(F density, Index dim, const SampleOptions& options, const FileOptions& files) {
  return sample_to_file(make_target(std::move(density), dim), options, files);
}

template <class F>
requires DensityOfVectors<F> || DensityOfSpans<F> FileResult resume(F density, Index dim,
                                                                    const SampleOptions& options,
                                                                    const FileOptions& files) {
  return resume(make_target(std::move(density), dim), options, files);
}

struct ReadOptions {
  bool plain = false;  // CSV files may be tables of numbers without a trace of Stan: every column
                       // is a parameter, every row a draw
};

struct ReadResult {
  Draws draws;
  std::vector<std::string> warnings;  // one line each: interrupted, cut to the shortest, ...
};

/// The draws of a run, also while it goes. Arguments: one NetCDF file of gadwall or ArviZ, or Stan
/// CSV files, or the NAME of a run: NAME.nc where there is one, else NAME_1.csv, NAME_2.csv, ...
/// Several NetCDF files are the parts of one run, as merge_runs takes them, but that a chain may
/// come twice: the verdict names it. UsageError, naming the file, for what is no such file, tables
/// of data included, and where there are no draws.
ReadResult read_run(const std::vector<std::string>& arguments, const ReadOptions& options = {});

/// The same without the warnings.
Draws read(const std::string& run);

struct MergedRun {
  std::string path;
  std::vector<std::string> warnings;  // cut to the shortest, interrupted, ...
};

/// NAME.nc with the chains of several runs, in the order of their seeds and numbers: jobs that each
/// did some chains of one run (RunOptions::chain_offset), or had seeds of their own. UsageError,
/// naming file and difference, where target, sampler, their settings, lanes, thinning or the values
/// of a draw are not the same, where a chain comes twice, and where NAME.nc exists and overwrite is
/// not set. command: what the file says it was made by.
MergedRun merge_runs(const std::vector<std::string>& runs, const std::string& name,
                     bool overwrite = false, const std::string& command = {});

struct CsvOptions {
  std::string name = {};       // of the files: NAME_1.csv, ...; empty: the run's
  int significant_digits = 0;  // 0: the shortest text that reads back bit for bit
  bool overwrite = false;      // files of other runs; those of this run are replaced anyhow
};

/// Makes CmdStan's files, one per chain, from the NetCDF file of a run, also while it goes; their
/// paths. They appear whole, when all are written. UsageError where one exists, where the run has
/// no draws, and for names that Stan CSV cannot hold.
std::vector<std::string> export_csv(const std::string& run, const CsvOptions& options = {});

}  // namespace gadwall::files
