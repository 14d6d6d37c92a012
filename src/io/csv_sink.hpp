// A sink that writes one Stan CSV file a chain.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gadwall/run.hpp"
#include "io/stan_csv.hpp"

namespace gadwall {

class CsvSink final : public Sink {
 public:
  /// Reserves NAME_1.csv, NAME_2.csv, ...; UsageError where one exists and overwrite is not set.
  /// A file to be overwritten stays as it is until its chain has something to write.
  CsvSink(const RunPlan& plan, const std::string& target_name, const std::string& name,
          bool overwrite);
  ~CsvSink() override;

  void begin_sampling(Index chain, const Tuning& tuning) override;
  void write(Index chain, const DrawStatistics& statistics, ConstVectorRef x) override;

  /// Writes the closing blocks. Files of chains that never came to write are removed again.
  void finish(const RunOutcome& outcome);

  /// Those that hold draws.
  std::vector<std::string> paths() const;

 private:
  struct Output {
    std::string path;
    std::unique_ptr<StanCsvWriter> writer;  // none yet: an old file that will be overwritten
    bool began = false;
  };

  void open(Output& output, Index chain, bool overwrite);
  void remove_unused() noexcept;

  StanCsvHeader header_;
  std::mutex header_mutex_;  // chains may begin at the same time
  std::vector<Output> outputs_;
};

/// The file of one chain (1, 2, ...) of the run NAME.
std::string chain_path(const std::string& name, Index chain);

}  // namespace gadwall
