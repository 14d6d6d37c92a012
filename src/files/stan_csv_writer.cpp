// Writes the draws of one chain as a Stan CSV file.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "files/stan_csv_text.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

constexpr std::size_t block_size = 262144;
// -2.2250738585072014e-308 has 24 characters, the longest that shortest digits or 17 of them give.
constexpr std::size_t longest_number = 24;
constexpr int most_digits = 17;

}  // namespace

StanCsvWriter::StanCsvWriter(std::string path, StanCsvHeader header)
    : path_(std::move(path)), header_(std::move(header)) {
  if (header_.file.empty()) header_.file = path_;
  check_stan_csv_header(header_);
  header_.significant_digits = std::clamp(header_.significant_digits, 0, most_digits);
  line_bound_ = (header_.statistics.size() + header_.names.size()) * (longest_number + 1);
  buffer_.resize(std::max(block_size, 2 * line_bound_));
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) fail(errno);
  append(stan_csv_configuration(header_));
}

StanCsvWriter::~StanCsvWriter() {
  if (file_ >= 0) ::close(file_);
}

void StanCsvWriter::adaptation_unit(double step) {
  begin_sampling(step);
  append("# No free parameters for unit metric\n");
}

void StanCsvWriter::adaptation_diagonal(double step, const ConstVectorRef& inverse_mass) {
  begin_sampling(step);
  append("# Diagonal elements of inverse mass matrix:\n");
  append_list(inverse_mass);
}

void StanCsvWriter::adaptation_dense(double step, const ConstMatrixRef& inverse_mass) {
  begin_sampling(step);
  append("# Elements of inverse mass matrix:\n");
  for (Index i = 0; i < inverse_mass.rows(); ++i) append_list(inverse_mass.row(i).transpose());
}

void StanCsvWriter::draw(const DrawStatistics& statistics, const ConstVectorRef& x) {
  if (!(adapted_ || header_.save_warmup) ||
      static_cast<std::size_t>(x.size()) != header_.names.size() ||
      static_cast<std::size_t>(statistics.size()) != header_.statistics.size()) {
    throw std::logic_error("StanCsvWriter: a draw before the adaptation or of the wrong size");
  }
  reserve(line_bound_);
  const int digits = header_.significant_digits;
  for (Index j = 0; j < statistics.size(); ++j) {
    const bool real = header_.statistics[static_cast<std::size_t>(j)].kind == Statistic::Kind::real;
    real ? append_number(statistics[j], digits) : append_count(statistics[j]);
    buffer_[used_++] = ',';
  }
  for (Index i = 0; i < x.size(); ++i) {
    if (i > 0) buffer_[used_++] = ',';
    append_number(x[i], digits);
  }
  buffer_[used_++] = '\n';
}

void StanCsvWriter::flush() {
  const std::size_t size = used_;
  used_ = 0;
  if (size > 0) write_all(buffer_.data(), size);
}

void StanCsvWriter::costs(const MeasuredFacts& chain, const Cost<double>& run_seconds) {
  append(stan_csv_closing(chain, run_seconds));
}

void StanCsvWriter::finish() {
  flush();
  if (::fsync(file_) != 0 && errno != EINVAL) fail(errno);
  if (::close(std::exchange(file_, -1)) != 0) fail(errno);
}

void StanCsvWriter::begin_sampling(double step) {
  if (adapted_) throw std::logic_error("StanCsvWriter: a second adaptation");
  adapted_ = true;
  append("# Adaptation terminated\n# Step size = ");
  reserve(longest_number);
  append_number(step, 0);
  append("\n");
}

/// Room for that many bytes at used_; nothing longer than half the buffer is asked for.
void StanCsvWriter::reserve(std::size_t bytes) {
  if (used_ + bytes > buffer_.size()) flush();
}

void StanCsvWriter::append(std::string_view text) {
  reserve(text.size());
  if (text.size() > buffer_.size()) return write_all(text.data(), text.size());
  std::memcpy(buffer_.data() + used_, text.data(), text.size());
  used_ += text.size();
}

void StanCsvWriter::append_number(double value, int digits) {
  if (std::isnan(value)) {  // to_chars also knows -nan, which Stan's readers do not
    std::memcpy(buffer_.data() + used_, "nan", 3);
    used_ += 3;
    return;
  }
  char* const first = buffer_.data() + used_;
  char* const last = buffer_.data() + buffer_.size();
  const auto end = digits == 0
                       ? std::to_chars(first, last, value).ptr
                       : std::to_chars(first, last, value, std::chars_format::general, digits).ptr;
  used_ += static_cast<std::size_t>(end - first);
}

/// Shortest digits would make 1e+05 of 100000, which is no integer to Python.
void StanCsvWriter::append_count(double value) {
  if (!(std::abs(value) < 1e15) || value != std::trunc(value)) return append_number(value, 0);
  char* const first = buffer_.data() + used_;
  const auto end =
      std::to_chars(first, first + longest_number, static_cast<std::int64_t>(value)).ptr;
  used_ += static_cast<std::size_t>(end - first);
}

void StanCsvWriter::append_list(const ConstVectorRef& values) {
  append("# ");
  for (Index i = 0; i < values.size(); ++i) {
    if (i > 0) append(", ");
    reserve(longest_number);
    append_number(values[i], 0);
  }
  append("\n");
}

void StanCsvWriter::write_all(const char* text, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(file_, text, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    text += written;
    size -= static_cast<std::size_t>(written);
  }
}

void StanCsvWriter::fail(int error_number) const {
  throw RunError(
      fmt::format("{}: cannot be written: {}", header_.file, std::strerror(error_number)));
}

}  // namespace gadwall::files
