// A sink that writes one Stan CSV file a chain.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "gadwall/run.hpp"
#include "io/stan_csv.hpp"

namespace gadwall {

/// Files appear, or replace old ones, as a whole run: while a chain has no draw yet, old files are
/// as they were, and if the run ends like that nothing of it is left. (A kill in that time leaves
/// empty files.)
class CsvSink final : public Sink {
 public:
  /// Reserves NAME_1.csv, NAME_2.csv, ...; UsageError where one exists and overwrite is not set,
  /// or where one cannot be written.
  CsvSink(const RunPlan& plan, const std::string& target_name, const std::string& name,
          bool overwrite);
  ~CsvSink() override;

  void begin_sampling(Index chain, const Tuning& tuning) override;
  void write(Index chain, const DrawStatistics& statistics, ConstVectorRef x) override;

  /// Writes the closing blocks.
  void finish(const RunOutcome& outcome);

  /// Of all chains; none where a chain has no draws.
  std::vector<std::string> paths() const;

 private:
  struct Output {
    std::string path;
    std::string real_path;    // of the file to be replaced, behind symbolic links; else empty
    std::string opened_path;  // the one that is written
    bool created = false;     // by us: ours to remove
    bool has_draws = false;
    std::unique_ptr<StanCsvWriter> writer;
  };

  void open(Output& output, StanCsvHeader header, bool overwrite);
  void replace_old_files();
  bool is_complete() const { return chains_without_draws_ == 0; }
  void discard() noexcept;

  std::vector<Output> outputs_;
  std::atomic<Index> chains_without_draws_;
};

/// The file of one chain (1, 2, ...) of the run NAME.
std::string chain_path(const std::string& name, Index chain);

}  // namespace gadwall
