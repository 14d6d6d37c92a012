// A run as one NetCDF file.
#pragma once

#include <optional>

#include "files/draw_writer.hpp"
#include "files/netcdf_file.hpp"

namespace gadwall::files {

/// The file appears, or replaces an old one, with the first row.
class NetcdfRun final : public DrawWriter {
 public:
  /// UsageError where the file exists and overwrite is not set.
  NetcdfRun(std::string path, NetcdfSchema schema, bool overwrite);
  /// Goes on with a file that holds at least so many rows.
  NetcdfRun(std::string path, NetcdfSchema schema, const RowsKept& rows);

  void begin_sampling(Index, const Tuning&) override {}
  void append(const ChainBlock& block) override;
  void flush() override;
  void finish(const RunOutcome& outcome) override;
  std::vector<std::string> paths() const override;

 private:
  std::string path_;
  NetcdfSchema schema_;
  bool overwrite_ = false;
  std::optional<NetcdfWriter> writer_;
};

}  // namespace gadwall::files
