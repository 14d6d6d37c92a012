// Stan CSV, the format of CmdStan: one file a chain, written while sampling and read back.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gadwall/draws.hpp"
#include "gadwall/run.hpp"

namespace gadwall::files {

/// What stands above the draws of one chain.
struct StanCsvHeader {
  RunFacts facts;                  // draws: the number asked for
  Index chain = 1;                 // from 1
  std::vector<std::string> names;  // one a column, as Stan writes them: beta.1
  // Every option of the sampler. Those that carry one of Stan's words (gamma, delta, kappa, t0,
  // init_buffer, term_buffer, window, max_depth, int_time, stepsize) are repeated where CmdStan
  // has them.
  std::vector<std::pair<std::string, std::string>> settings;
  std::string start_datetime;  // "2025-01-31 12:00:00 UTC"; empty: now
  std::string file;            // what the file says it is called; empty: its path
  bool save_warmup = false;    // warm-up stands above the draws
  int significant_digits = 0;  // of the draws; 0: the shortest text that reads back bit for bit
};

/// Writes one chain: where warm-up is saved begin_warmup and its states; an adaptation_* call, then
/// draw after draw, then finish. Text reaches the disk in blocks of whole lines, so that a killed
/// run leaves a file that can be read. A failed write is a RunError that names the file.
class StanCsvWriter {
 public:
  /// Creates the file. One that exists is a UsageError unless overwrite is set.
  StanCsvWriter(std::string path, StanCsvHeader header, bool overwrite);
  /// Goes on with a file that was not finished, or was, after its first rows. RunError where it
  /// has fewer.
  StanCsvWriter(std::string path, StanCsvHeader header, const RowsKept& rows);
  ~StanCsvWriter();
  StanCsvWriter(const StanCsvWriter&) = delete;
  StanCsvWriter& operator=(const StanCsvWriter&) = delete;

  /// The end of warm-up: the step and M^-1 = L L^T as the identity, its diagonal or all of it.
  /// The header goes out here too, since it names the kind of metric.
  void adaptation_unit(double step);
  void adaptation_diagonal(double step, const ConstVectorRef& inverse_mass);
  void adaptation_dense(double step, const ConstMatrixRef& inverse_mass);

  void begin_warmup(Metric metric);

  /// One line; allocates nothing.
  void draw(const DrawStatistics& statistics, const ConstVectorRef& x);

  void flush();
  void sync();  // and it survives a power cut

  /// The closing block, and the file is closed. Evaluations and bad points are those of this
  /// chain, seconds those of the whole run. A run that was interrupted before any adaptation_*
  /// call finishes with a header alone.
  void finish(const RunFacts& chain_costs);

  const std::string& path() const { return path_; }

 private:
  void prepare();
  void write_configuration(std::string_view metric);
  void begin(Metric metric, double step);
  void reserve(std::size_t bytes);
  void append(std::string_view text);
  void append_number(double value, int digits);
  void append_count(double value);
  void append_list(const ConstVectorRef& values);
  void correct_number_of_draws();
  void write_all(const char* text, std::size_t size);
  [[noreturn]] void fail(int error_number);

  std::string path_;
  StanCsvHeader header_;
  int file_ = -1;
  std::vector<char> buffer_;
  std::size_t used_ = 0;
  std::size_t line_bound_ = 0;      // no line of draws is longer
  std::size_t num_samples_at_ = 0;  // offset in the file of the value of num_samples
  Index drawn_ = 0;
  bool begun_ = false;    // the configuration is written
  bool adapted_ = false;  // so is the end of warm-up
};

struct ReadResult {
  Draws draws;
  std::vector<std::string> warnings;  // one line each: interrupted, cut to the shortest, ...
};

/// Reads the chains of one run, in the order of their ids. Takes the files of CmdStan and rstan
/// as well: saved warm-up is left out, statistics that a file lacks are 0. Seconds are the
/// longest of the files; evaluations and bad points are sums.
ReadResult read_stan_csv(const std::vector<std::string>& files);

/// An argument is a file, or NAME for NAME_1.csv, NAME_2.csv, ...: as many as the first says.
std::vector<std::string> find_run_files(const std::vector<std::string>& arguments);

}  // namespace gadwall::files
