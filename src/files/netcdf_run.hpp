// A run as one NetCDF file.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "files/draw_writer.hpp"
#include "files/netcdf_file.hpp"

namespace gadwall::files {

/// The file appears, or replaces an old one, with the first row, but not in the first moment of a
/// run: one that is over by then writes it in one go. It is flushed every few seconds, so that it
/// can be read while the run goes and a kill costs no more.
class NetcdfRun final : public DrawWriter {
 public:
  /// UsageError where the file exists and overwrite is not set.
  NetcdfRun(std::string path, NetcdfSchema schema, bool overwrite);
  /// Goes on with a file that holds at least so many rows.
  NetcdfRun(std::string path, NetcdfSchema schema, const RowsKept& rows);
  ~NetcdfRun() override;

  void begin_sampling(Index batch, const std::shared_ptr<const Tuning>& tuning) override;
  void append(const ChainBlock& block) override;
  void flush() override;
  void finish(const RunOutcome& outcome) override;

  /// The file is there.
  bool has_rows() const { return writer_.has_value(); }
  const std::string& path() const { return path_; }

 private:
  void write(const ChainBlock& block);
  void make_file();

  std::string path_;
  NetcdfSchema schema_;
  bool overwrite_ = false;
  std::chrono::steady_clock::time_point begun_;
  std::vector<ChainBlock> held_;  // until there is a file
  Index numbers_held_ = 0;
  std::optional<NetcdfWriter> writer_;
  std::map<Index, std::shared_ptr<const Tuning>> adapted_;  // by batch: to be written with a file
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace gadwall::files
