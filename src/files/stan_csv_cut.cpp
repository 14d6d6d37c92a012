#include "files/stan_csv_cut.hpp"

#include <fmt/format.h>

#include <fstream>

#include "files/atomic_file.hpp"
#include "files/stan_csv_text.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

/// What of the file is kept, line after line.
class Cut {
 public:
  Cut(const std::string& path, const StanCsvHeader& header, const RowsKept& rows)
      : file_(path), draws_wanted_(header.facts.draws), thin_(header.facts.thin), rows_(rows) {}

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
    if (!has_columns_) {
      append(with_wanted_draws(line) + '\n');
      return true;
    }
    if (rows_.draws == 0) return false;  // a run without draws writes what follows again
    if (line.find("Adaptation terminated") != std::string::npos) cut_.adapted = true;
    const bool closes = cut_.adapted && draws_ > 0;
    if (!closes) append(line + '\n');
    return !closes;
  }

  /// A run may go on to another number of draws than it began with.
  std::string with_wanted_draws(const std::string& line) {
    for (const auto& [key, wanted] : {std::pair(stan_csv_num_samples, draws_wanted_ * thin_),
                                      std::pair(stan_csv_own_draws, draws_wanted_)}) {
      if (!line.starts_with(key)) continue;
      if (key == stan_csv_num_samples) cut_.num_samples_at = written_ + key.size();
      return fmt::format("{}{}", key, wanted);
    }
    return line;
  }

  void append(const std::string& text) {
    file_.write(text);
    written_ += text.size();
  }

  AtomicFile file_;
  std::size_t written_ = 0;
  Index draws_wanted_;
  Index thin_;
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

}  // namespace gadwall::files
