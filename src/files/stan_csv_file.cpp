// Reads one Stan CSV file, line by line through a buffer of its own.
#include "files/stan_csv_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <set>

#include "gadwall/error.hpp"
#include "text/number_text.hpp"

namespace gadwall::files {
namespace {

class LineReader {
 public:
  explicit LineReader(const std::string& path) : path_(path), buffer_(1 << 20) {
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0) fail(errno);
  }
  ~LineReader() { ::close(file_); }
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  /// The next line without its end, valid until the next call; false after the last.
  bool next(std::string_view& line) {
    std::size_t searched = 0;
    for (;;) {
      const char* start = buffer_.data() + begin_;
      const void* found = std::memchr(start + searched, '\n', end_ - begin_ - searched);
      if (found != nullptr) return take(line, static_cast<const char*>(found) - start);
      searched = end_ - begin_;
      if (fill()) continue;
      whole_ = false;
      if (searched == 0) return false;
      return take(line, static_cast<std::ptrdiff_t>(searched));
    }
  }

  /// Whether the line ended as lines do. The last of an interrupted file may not have.
  bool whole() const { return whole_; }

  std::string where() const { return fmt::format("{}:{}", path_, number_); }

 private:
  bool take(std::string_view& line, std::ptrdiff_t size) {
    line = {buffer_.data() + begin_, static_cast<std::size_t>(size)};
    begin_ = std::min(begin_ + line.size() + 1, end_);
    if (++number_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return true;
  }

  bool fill() {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
    ssize_t got = -1;
    do {
      got = ::read(file_, buffer_.data() + end_, buffer_.size() - end_);
    } while (got < 0 && errno == EINTR);
    if (got < 0) fail(errno);
    end_ += static_cast<std::size_t>(got);
    return got > 0;
  }

  [[noreturn]] void fail(int error_number) const {
    throw UsageError(fmt::format("{}: cannot be read: {}", path_, std::strerror(error_number)));
  }

  std::string path_;
  std::vector<char> buffer_;
  int file_ = -1;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t number_ = 0;
  bool whole_ = true;
};

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t") == line.npos;
}

/// Parses one number with the blanks around it; nullptr where there is none.
const char* parse_cell(const char* first, const char* last, double& value) {
  while (first != last && *first == ' ') ++first;
  if (last - first > 1 && first[0] == '+' && first[1] != '-') ++first;
  auto [end, error] = std::from_chars(first, last, value);
  if (error == std::errc::result_out_of_range) {  // strtod gives 0 or infinity
    value = std::strtod(std::string(first, end).c_str(), nullptr);
  } else if (error != std::errc()) {
    return nullptr;
  }
  while (end != last && *end == ' ') ++end;
  return end;
}

bool parse_row(std::string_view line, double* out, std::size_t columns) {
  const char* at = line.data();
  const char* const last = at + line.size();
  for (std::size_t j = 0; j < columns; ++j) {
    if (j > 0) {
      if (at == last || *at != ',') return false;
      ++at;
    }
    at = parse_cell(at, last, out[j]);
    if (at == nullptr) return false;
  }
  return at == last;
}

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> cells;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t comma = std::min(line.find(',', from), line.size());
    cells.emplace_back(line.substr(from, comma - from));
    from = comma + 1;
  }
  return cells;
}

[[noreturn]] void refuse_row(const LineReader& lines, std::string_view line,
                             const std::vector<std::string>& columns) {
  const std::vector<std::string> cells = split(line);
  if (cells.size() != columns.size()) {
    throw UsageError(fmt::format("{}: {} cells; the line of column names has {}", lines.where(),
                                 cells.size(), columns.size()));
  }
  for (std::size_t j = 0; j < cells.size(); ++j) {
    double value = 0;
    const char* const last = cells[j].data() + cells[j].size();
    if (parse_cell(cells[j].data(), last, value) == last) continue;
    throw UsageError(
        fmt::format("{}: column '{}': {:?} is not a number", lines.where(), columns[j], cells[j]));
  }
  throw UsageError(fmt::format("{}: not a row of numbers", lines.where()));
}

std::vector<std::string> parse_names(const LineReader& lines, std::string_view line) {
  std::vector<std::string> names = split(line);
  std::set<std::string_view> seen;
  for (std::string& name : names) {
    const auto first = name.find_first_not_of(" \"");
    name = first == name.npos ? "" : name.substr(first, name.find_last_not_of(" \"") - first + 1);
    double number = 0;
    const char* const last = name.data() + name.size();
    if (name.empty() || parse_cell(name.data(), last, number) == last) {
      throw UsageError(fmt::format("{}: wanted the line of column names, but '{}' is no name",
                                   lines.where(), name));
    }
  }
  for (const std::string& name : names) {
    if (!seen.insert(name).second) {
      throw UsageError(fmt::format("{}: two columns are named '{}'", lines.where(), name));
    }
  }
  return names;
}

void read_row(StanCsvFile& file, const LineReader& lines, std::string_view line) {
  const std::size_t size = file.values.size();
  file.values.resize(size + file.columns.size());
  if (!parse_row(line, file.values.data() + size, file.columns.size())) {
    refuse_row(lines, line, file.columns);
  }
}

void read_comment(StanCsvFile& file, std::string_view line) {
  const bool adapted_before = file.comments.adapted();
  file.comments.read(line);
  if (!adapted_before && file.comments.adapted()) file.warmup_rows = file.rows();
}

void warn_of_interruption(StanCsvFile& file) {
  const Index kept = file.rows() - file.warmup_rows;
  const Index asked = file.comments.count({"gadwall_draws"}, 0);
  const bool by_its_own_rule = file.comments.text({"gadwall_stopped_by"}) == "ess";
  if (kept < asked && !by_its_own_rule) {
    file.warnings.push_back(fmt::format("{}: {} of {} draws; the run was interrupted", file.path,
                                        grouped(static_cast<std::uint64_t>(kept)),
                                        grouped(static_cast<std::uint64_t>(asked))));
  } else if (file.comments.by_any_sampler() && !file.comments.closed()) {
    file.warnings.push_back(
        fmt::format("{}: no closing block; the run was interrupted", file.path));
  }
}

}  // namespace

StanCsvFile read_stan_csv_file(const std::string& path) {
  StanCsvFile file;
  file.path = path;
  LineReader lines(path);
  for (std::string_view line; lines.next(line);) {
    if (is_blank(line)) continue;
    if (!lines.whole()) {  // even a full count of cells may end in half a number
      file.warnings.push_back(
          fmt::format("{}: the last line is not complete and is left out", lines.where()));
    } else if (line.front() == '#') {
      read_comment(file, line);
    } else if (file.columns.empty()) {
      file.columns = parse_names(lines, line);
    } else {
      read_row(file, lines, line);
    }
  }
  if (!file.comments.adapted()) {
    file.warmup_rows = std::min(file.rows(), file.comments.announced_warmup_rows());
  }
  warn_of_interruption(file);
  return file;
}

StanCsvComments read_stan_csv_comments(const std::string& path) {
  StanCsvComments comments;
  LineReader lines(path);
  for (std::string_view line; lines.next(line) && lines.whole();) {
    if (is_blank(line)) continue;
    if (line.front() != '#') break;
    comments.read(line);
  }
  return comments;
}

}  // namespace gadwall::files
