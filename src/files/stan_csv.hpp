// Stan CSV, the format of CmdStan: one file per chain, written in one pass and read back.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gadwall/files.hpp"

namespace gadwall::files {

/// What stands above the draws of one chain.
struct StanCsvHeader {
  RunFacts facts;                  // draws: as many as the file will hold; settings: all options
  Index chain = 1;                 // from 1
  std::vector<std::string> names;  // one per column, as Stan writes them: beta.1
  std::vector<Statistic> statistics = common_statistics();  // the columns before them
  std::map<std::string, std::string> stan_settings;  // under Stan's words, where CmdStan has them:
                                                     // gamma, delta, kappa, t0, init_buffer,
                                                     // term_buffer, window, max_depth, int_time,
                                                     // stepsize
  std::string start_datetime;                        // "2025-01-31 12:00:00 UTC"
  std::string file;              // what the file says it is called; empty: its path
  Metric metric = Metric::unit;  // of the adaptation
  bool save_warmup = false;      // warm-up stands above the draws
  int significant_digits = 0;    // of the draws; 0: the shortest text that reads back bit for bit
};

/// Writes one chain: where warm-up is saved its states; an adaptation_* call, then draw after draw,
/// then finish. A failed write is a RunError that names the file.
class StanCsvWriter {
 public:
  /// Creates the file, or empties it.
  StanCsvWriter(std::string path, StanCsvHeader header);
  ~StanCsvWriter();  // a file that was not finished is as far as it came
  StanCsvWriter(const StanCsvWriter&) = delete;
  StanCsvWriter& operator=(const StanCsvWriter&) = delete;

  /// The end of warm-up: the step and M^-1 = L L^T as the identity, its diagonal or all of it.
  void adaptation_unit(double step);
  void adaptation_diagonal(double step, const ConstVectorRef& inverse_mass);
  void adaptation_dense(double step, const ConstMatrixRef& inverse_mass);

  /// One line; allocates nothing.
  void draw(const DrawStatistics& statistics, const ConstVectorRef& x);

  /// The closing block: what this chain cost, and beside it how long the whole run took.
  void costs(const MeasuredFacts& chain, const Cost<double>& run_seconds);

  /// All is on the disk, and the file is closed.
  void finish();

 private:
  void begin_sampling(double step);
  void flush();
  void reserve(std::size_t bytes);
  void append(std::string_view text);
  void append_number(double value, int digits);
  void append_count(double value);
  void append_list(const ConstVectorRef& values);
  void write_all(const char* text, std::size_t size);
  [[noreturn]] void fail(int error_number) const;

  std::string path_;
  StanCsvHeader header_;
  int file_ = -1;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  std::size_t line_bound_ = 0;  // no line of draws is longer
  bool adapted_ = false;        // the end of warm-up is written
};

/// Reads the chains of one run, in the order of their ids. Takes the files of CmdStan and rstan
/// as well: saved warm-up is left out, the statistics are those of the first file. Seconds are
/// those of the run, or the longest of the files; evaluations and bad points are sums.
ReadResult read_stan_csv(const std::vector<std::string>& files, const ReadOptions& options = {});

/// An argument is a file, or NAME for NAME_1.csv, NAME_2.csv, ...: as many as the first says.
std::vector<std::string> find_run_files(const std::vector<std::string>& arguments);

}  // namespace gadwall::files
