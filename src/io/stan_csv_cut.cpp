#include "io/stan_csv_cut.hpp"

#include <fmt/format.h>

#include <fstream>

#include "gadwall/error.hpp"
#include "io/atomic_file.hpp"
#include "io/stan_csv_text.hpp"

namespace gadwall {
namespace {

/// What of the file is kept, line after line.
class Cut {
 public:
  Cut(const std::string& path, const StanCsvHeader& header, const RowsKept& rows)
      : file_(path), iterations_(header.facts.draws * header.facts.thin), rows_(rows) {}

  /// false: this line and all that follow go.
  bool keep(const std::string& line) {
    if (line.starts_with('#')) return keep_comment(line);
    if (!has_columns_) {
      has_columns_ = true;
    } else if (cut_.adapted ? draws_++ == rows_.draws : warmup_++ == rows_.warmup) {
      return false;
    }
    append(line + '\n');
    return true;
  }

  bool is_complete() const {
    return has_columns_ && draws_ >= rows_.draws && warmup_ >= rows_.warmup;
  }
  Index draws() const { return draws_; }

  StanCsvCut commit() {
    file_.commit();
    return cut_;
  }

 private:
  bool keep_comment(const std::string& line) {
    if (has_columns_ && line.find("Adaptation terminated") != std::string::npos) {
      if (rows_.draws == 0) return false;  // a run without draws writes it again
      cut_.adapted = true;
    }
    const bool closes = cut_.adapted && draws_ > 0;
    if (closes) return false;
    const auto found = line.find(stan_csv_num_samples);
    if (!has_columns_ && found != std::string::npos) {
      const auto value = found + stan_csv_num_samples.size();
      cut_.num_samples_at = written_ + value;
      append(fmt::format("{}{}\n", line.substr(0, value), iterations_));
    } else {
      append(line + '\n');
    }
    return true;
  }

  void append(const std::string& text) {
    file_.write(text);
    written_ += text.size();
  }

  AtomicFile file_;
  std::size_t written_ = 0;
  Index iterations_;
  RowsKept rows_;
  StanCsvCut cut_;
  bool has_columns_ = false;
  Index draws_ = 0;
  Index warmup_ = 0;
};

}  // namespace

StanCsvCut cut_stan_csv(const std::string& path, const StanCsvHeader& header,
                        const RowsKept& rows) {
  std::ifstream file(path, std::ios::binary);
  Cut cut(path, header, rows);
  std::string line;
  while (std::getline(file, line) && cut.keep(line)) {
  }
  if (!file.eof() && file.fail()) throw RunError(fmt::format("{}: cannot be read", path));
  if (!cut.is_complete()) {
    throw RunError(fmt::format("{}: has {} draws, expected at least the {} of the checkpoint", path,
                               cut.draws(), rows.draws));
  }
  return cut.commit();
}

}  // namespace gadwall
