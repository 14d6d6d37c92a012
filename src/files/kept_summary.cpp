// Finds a kept summary that is valid, or makes and keeps one.
#include "files/kept_summary.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "files/atomic_file.hpp"
#include "files/checkpoint.hpp"
#include "files/file_place.hpp"
#include "files/netcdf_file.hpp"
#include "files/netcdf_journal.hpp"
#include "files/read_run.hpp"
#include "files/summary_archive.hpp"
#include "gadwall/archive.hpp"
#include "gadwall/error.hpp"
#include "text/number_text.hpp"

namespace gadwall::files {
namespace {

constexpr Index kManyValues = 1'000'000;         // fewer are summarised faster than a file is kept
constexpr std::uint64_t kLongRead = 16'000'000;  // bytes
constexpr std::string_view kSummaryMark =
    "gadwall summary 3\n";  // the number goes up with the layout

/// Bytes from all over a file: changed draws change some of them.
std::uint32_t sample_checksum(int file, std::uint64_t size) {
  constexpr std::uint64_t kSamples = 256;
  std::array<char, 4096> page{};
  uLong sum = crc32(0, nullptr, 0);
  for (std::uint64_t i = 0; i <= kSamples; ++i) {
    const std::uint64_t last = size > page.size() ? size - page.size() : 0;
    const std::uint64_t at = last * i / kSamples;
    const ssize_t got = pread(file, page.data(), page.size(), static_cast<off_t>(at));
    if (got > 0) {
      sum = crc32(sum, reinterpret_cast<const Bytef*>(page.data()), static_cast<uInt>(got));
    }
  }
  return static_cast<std::uint32_t>(sum);
}

/// What tells this content of the file from any other; empty where it cannot be told.
std::string identity(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::exists(JournaledFile::journal_path(path), ignored)) return "";
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return "";
  struct stat facts {};
  std::string text;
  if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)) {
    const auto size = static_cast<std::uint64_t>(facts.st_size);
    text = fmt::format("{} bytes of {}.{:09}, {:08x}, {}", size, facts.st_mtim.tv_sec,
                       facts.st_mtim.tv_nsec, sample_checksum(file, size), build_identity());
  }
  close(file);
  return text;
}

/// The only NetCDF file that the arguments stand for; empty for CSV files.
std::string single_file(const std::vector<std::string>& arguments) {
  return arguments.size() == 1 ? netcdf_path(arguments.front()) : "";
}

struct Kept {
  std::string of;  // identity of the draws
  bool paper_ess = false;
  JudgedRun run;

  void archive(Archive& a) {
    a("of", of);
    a("paper ess", paper_ess);
    a("warnings", run.warnings);
    archive_summary(a, run.summary);
    archive_verdict(a, run.verdict);
  }
};

/// Whether the place is free or has a file of this kind; anything else is the user's.
bool is_ours(const std::string& path) {
  std::error_code ignored;
  if (!is_taken(path)) return true;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string first;
  std::getline(file, first);
  return first.starts_with("gadwall summary ");
}

/// It must have all that is asked for.
std::optional<JudgedRun> find_kept(const std::string& path, const SummaryOptions& wanted) {
  const std::string kept_path = summary_path(run_name(path));
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(kept_path, ignored)) return {};
  try {
    const std::string bytes = read_whole_file(kept_path);
    if (!bytes.starts_with(kSummaryMark)) return {};
    Archive archive(bytes.substr(kSummaryMark.size()));
    Kept kept;
    kept.archive(archive);
    const bool serves =
        !kept.of.empty() && kept.of == identity(path) && (kept.paper_ess || !wanted.paper_ess) &&
        (wanted.quantiles.empty() || kept.run.summary.probabilities == wanted.quantiles);
    if (!serves) return {};
    if (wanted.quantiles.empty()) forget_quantiles(kept.run.summary);
    return std::move(kept.run);
  } catch (const std::exception&) {  // damaged: it is made anew
    return {};
  }
}

/// A convenience: that it cannot be written is no reason to fail.
void keep(const std::string& path, const std::string& of, const JudgedRun& run, bool paper_ess) {
  if (of.empty() || of != identity(path)) return;  // a run that goes on writes meanwhile
  const std::string kept_path = summary_path(run_name(path));
  if (!is_ours(kept_path)) return;
  try {
    Kept kept{.of = of, .paper_ess = paper_ess, .run = run};
    Archive archive;
    kept.archive(archive);
    replace_file(kept_path, std::string(kSummaryMark) + archive.bytes());
  } catch (const std::exception&) {
  }
}

void tell(const JudgeOptions& options, const std::string& what) {
  if (options.begins) options.begins(what);
}

JudgedRun judge_now(const ReadResult& read, const JudgeOptions& options, Index values) {
  if (values >= kManyValues) {
    tell(options,
         fmt::format("summarising {} values ...", grouped(static_cast<std::uint64_t>(values))));
  }
  JudgedRun result;
  result.summary = summarise(read.draws, options.summary);
  result.verdict = judge(read.draws, result.summary);
  result.warnings = read.warnings;
  return result;
}

Index count_values(const Draws& draws) {
  return draws.draws() * draws.dim() * static_cast<Index>(draws.chains.size());
}

}  // namespace

std::string summary_path(const std::string& run) {
  return run + ".summary";
}

void remove_kept_summary(const std::string& run) {
  std::error_code ignored;
  if (is_ours(summary_path(run))) std::filesystem::remove(summary_path(run), ignored);
}

JudgedRun judge_draws(const std::vector<std::string>& arguments, const ReadResult& read,
                      const JudgeOptions& options) {
  const std::string path = single_file(arguments);
  const Index values = count_values(read.draws);
  const bool may_keep = !path.empty() && values >= kManyValues && !options.summary.scores;
  if (may_keep) {
    if (auto kept = find_kept(path, options.summary)) return std::move(*kept);
  }
  const std::string of = may_keep ? identity(path) : "";
  JudgedRun result = judge_now(read, options, values);
  if (may_keep) keep(path, of, result, options.summary.paper_ess);
  return result;
}

JudgedRun judge_run(const std::vector<std::string>& arguments, const JudgeOptions& options) {
  const std::string path = single_file(arguments);
  if (path.empty()) return judge_draws(arguments, read_run(arguments, options.read), options);
  const bool is_keepable = !options.summary.scores;  // they are asked for too rarely
  if (is_keepable) {
    if (auto kept = find_kept(path, options.summary)) return std::move(*kept);
  }
  const std::string of = identity(path);  // before it is read
  std::error_code ignored;
  const std::uint64_t size = std::filesystem::file_size(path, ignored);
  if (!ignored && size >= kLongRead) tell(options, fmt::format("reading {} ...", path));
  const ReadResult read =
      options.is_own ? read_own_netcdf(path) : read_run(arguments, options.read);
  const Index values = count_values(read.draws);
  JudgedRun result = judge_now(read, options, values);
  if (is_keepable && values >= kManyValues) keep(path, of, result, options.summary.paper_ess);
  return result;
}

}  // namespace gadwall::files
