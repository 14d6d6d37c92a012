// A run as Stan CSV: one file a chain.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "files/draw_writer.hpp"
#include "files/stan_csv.hpp"

namespace gadwall::files {

struct CsvOptions {
  std::string name;            // of the run: NAME_1.csv, NAME_2.csv, ...
  std::string target;          // what is sampled
  int significant_digits = 0;  // 0: the shortest text that reads back bit for bit
  bool overwrite = false;
};

/// Files appear, or replace old ones, as a whole run: while a chain has no row yet, old files are
/// as they were, and if the run ends like that nothing of it is left. (A kill in that time leaves
/// empty files.)
class CsvFiles final : public DrawWriter {
 public:
  /// Reserves the files; UsageError where one exists and overwrite is not set, or where one cannot
  /// be written.
  CsvFiles(const RunPlan& plan, const CsvOptions& options);
  /// Goes on with files that hold at least so many rows.
  CsvFiles(const RunPlan& plan, const CsvOptions& options, const RowsKept& rows);
  ~CsvFiles() override;

  void begin_sampling(Index chain, const Tuning& tuning) override;
  void append(const ChainBlock& block) override;
  void flush() override;
  void finish(const RunOutcome& outcome) override;
  std::vector<std::string> paths() const override;

 private:
  struct Output {
    std::string path;
    std::string real_path;    // of the file to be replaced, behind symbolic links; else empty
    std::string opened_path;  // the one that is written
    bool created = false;     // by us: ours to remove
    bool has_rows = false;
    std::unique_ptr<StanCsvWriter> writer;
  };

  void open(Output& output, StanCsvHeader header, bool overwrite);
  void replace_old_files();
  bool is_complete() const { return chains_without_rows_ == 0; }
  void discard() noexcept;

  Metric metric_;
  std::vector<Output> outputs_;
  Index chains_without_rows_;
};

/// The file of one chain (1, 2, ...) of the run NAME.
std::string chain_path(const std::string& name, Index chain);

}  // namespace gadwall::files
