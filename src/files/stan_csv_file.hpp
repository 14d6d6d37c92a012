// One Stan CSV file in memory: its comments, its columns and its rows of numbers.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gadwall/draws.hpp"

namespace gadwall::files {

/// What the comment lines of CmdStan, rstan and gadwall say.
class StanCsvComments {
 public:
  /// One line, the leading # included.
  void read(std::string_view line);

  /// The value of the first of the keys that the file has; empty where it has none.
  std::string_view text(std::initializer_list<std::string_view> keys) const;
  std::optional<std::uint64_t> number(std::initializer_list<std::string_view> keys) const;
  Index count(std::initializer_list<std::string_view> keys, Index otherwise) const;

  bool written_by_gadwall() const { return values_.contains("gadwall_version"); }
  bool by_any_sampler() const { return !values_.empty(); }
  bool by_known_sampler() const;             // says a version, a method or an algorithm
  bool adapted() const { return adapted_; }  // the line "Adaptation terminated" was seen
  bool closed() const { return closed_; }    // so was "Elapsed Time"

  /// Lines of saved warm-up, where the file does not mark their end.
  Index announced_warmup_rows() const;

  /// Everything but what follows from the columns.
  RunFacts facts() const;

 private:
  void read_closing(std::string_view line);
  std::string engine() const;

  std::map<std::string, std::string, std::less<>> values_;
  MeasuredFacts costs_;
  bool adapted_ = false;
  bool closed_ = false;
};

struct StanCsvFile {
  std::string path;
  StanCsvComments comments;
  std::vector<std::string> columns;
  std::vector<double> values;  // row by row, saved warm-up included
  Index warmup_rows = 0;
  std::vector<std::string> warnings;

  Index rows() const {
    return columns.empty() ? 0 : static_cast<Index>(values.size() / columns.size());
  }
};

StanCsvFile read_stan_csv_file(const std::string& path);

/// Only the comments above the line of column names.
StanCsvComments read_stan_csv_comments(const std::string& path);

}  // namespace gadwall::files
