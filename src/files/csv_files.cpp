// The files of a run: when they appear, what stands in them, when they go again.
#include "files/csv_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "files/file_place.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

namespace fs = std::filesystem;

/// Our options under the names that Stan's tools know.
constexpr std::array<std::pair<const char*, const char*>, 9> kStanWords = {{
    {"target-accept", "delta"},
    {"averaging-gamma", "gamma"},
    {"averaging-kappa", "kappa"},
    {"averaging-t0", "t0"},
    {"window-start", "init_buffer"},
    {"window-end", "term_buffer"},
    {"window-base", "window"},
    {"max-depth", "max_depth"},
    {"step", "stepsize"},
}};

/// Stan's files know three forms of the inverse mass. A low-rank one is written in full while that
/// is small beside the draws, and above that as its variances.
Metric stan_form(Metric form, Index n) {
  constexpr Index kLargestMatrix = 500;
  if (form != Metric::low_rank) return form;
  return n <= kLargestMatrix ? Metric::dense : Metric::diag;
}

StanCsvHeader make_header(const RunPlan& plan, const CsvOptions& options) {
  StanCsvHeader header;
  header.names = plan.output_names();
  header.facts = plan.facts();
  header.facts.target = options.target;
  header.significant_digits = options.significant_digits;
  header.save_warmup = plan.run.save_warmup;
  const auto settings = used_settings(*plan.sampler, plan.options);
  header.settings.assign(settings.begin(), settings.end());
  for (const auto& [ours, stans] : kStanWords) {
    const auto found = settings.find(ours);
    if (found != settings.end()) header.settings.emplace_back(stans, found->second);
  }
  const Metric metric = plan.options.metric;
  if (is_correlated(metric) && !is_correlated(stan_form(metric, plan.target->dim()))) {
    header.settings.emplace_back("inverse_mass", "the diagonal of a matrix of low rank");
  }
  return header;
}

}  // namespace

std::string chain_path(const std::string& name, Index chain) {
  return fmt::format("{}_{}.csv", name, chain);
}

CsvFiles::CsvFiles(const RunPlan& plan, const CsvOptions& options)
    : metric_(stan_form(plan.options.metric, plan.target->dim())),
      outputs_(static_cast<std::size_t>(plan.run.chains)),
      chains_without_rows_(plan.run.chains) {
  StanCsvHeader header = make_header(plan, options);
  try {
    for (Output& output : outputs_) {
      output.path = chain_path(options.name, header.chain);
      open(output, header, options.overwrite);
      ++header.chain;
    }
  } catch (...) {
    discard();
    throw;
  }
}

CsvFiles::CsvFiles(const RunPlan& plan, const CsvOptions& options, const RowsKept& rows)
    : metric_(stan_form(plan.options.metric, plan.target->dim())),
      outputs_(static_cast<std::size_t>(plan.run.chains)),
      chains_without_rows_(0) {
  StanCsvHeader header = make_header(plan, options);
  for (Output& output : outputs_) {
    output.path = output.opened_path = chain_path(options.name, header.chain);
    output.has_rows = true;
    output.writer = std::make_unique<StanCsvWriter>(output.path, header, rows);
    ++header.chain;
  }
}

CsvFiles::~CsvFiles() {
  if (!is_complete()) discard();
}

void CsvFiles::discard() noexcept {
  for (Output& output : outputs_) {
    output.writer.reset();
    std::error_code ignored;
    if (output.created) fs::remove(output.opened_path, ignored);
    output.created = false;
  }
}

/// A regular file that is to be replaced gets a new neighbour, which takes its place later. What
/// is neither there nor regular (a pipe, a device, a link to nowhere) is opened as it is.
void CsvFiles::open(Output& output, StanCsvHeader header, bool overwrite) {
  std::error_code ignored;
  const bool occupied = is_taken(output.path);
  const bool replaces = overwrite && fs::is_regular_file(output.path, ignored);
  header.file = output.path;
  output.opened_path = output.path;
  if (replaces) {
    if (::access(output.path.c_str(), W_OK) != 0) {
      throw UsageError(
          fmt::format("{}: cannot be overwritten: {}", output.path, std::strerror(errno)));
    }
    output.real_path = fs::canonical(output.path).string();
    output.opened_path = fmt::format("{}.{}.new", output.real_path, ::getpid());
  }
  output.writer =
      std::make_unique<StanCsvWriter>(output.opened_path, std::move(header), overwrite && occupied);
  output.created = replaces || !occupied;
}

void CsvFiles::begin_sampling(Index chain, const Tuning& tuning) {
  StanCsvWriter& writer = *outputs_[static_cast<std::size_t>(chain)].writer;
  const Factor& factor = tuning.factor();
  const Metric form = stan_form(factor.kind(), factor.dim());
  if (form == Metric::unit) {
    writer.adaptation_unit(tuning.step);
  } else if (form == Metric::diag) {
    writer.adaptation_diagonal(tuning.step, factor.covariance_diagonal());
  } else {
    writer.adaptation_dense(tuning.step, factor.covariance());
  }
}

void CsvFiles::append(const ChainBlock& block) {
  Output& output = outputs_[static_cast<std::size_t>(block.chain)];
  if (block.warmup) output.writer->begin_warmup(metric_);
  for (Index i = 0; i < block.count; ++i) {
    output.writer->draw(block.statistics[static_cast<std::size_t>(i)], block.values.col(i));
  }
  if (output.has_rows) return;
  output.writer->flush();  // a full disk shows here, before an old file is lost
  output.has_rows = true;
  if (--chains_without_rows_ == 0) replace_old_files();
}

void CsvFiles::flush() {
  for (Output& output : outputs_) output.writer->sync();
}

void CsvFiles::replace_old_files() {
  for (Output& output : outputs_) {
    if (output.real_path.empty()) continue;
    std::error_code error;
    fs::rename(output.opened_path, output.real_path, error);
    if (error) {
      throw RunError(fmt::format("{}: cannot be overwritten: {}", output.path, error.message()));
    }
  }
}

void CsvFiles::finish(const RunOutcome& outcome) {
  if (!is_complete()) return discard();
  for (std::size_t c = 0; c < outputs_.size(); ++c) {
    RunFacts facts = outcome.chains[c];
    facts.seconds = outcome.facts.seconds;
    outputs_[c].writer->finish(facts);
  }
}

std::vector<std::string> CsvFiles::paths() const {
  std::vector<std::string> result;
  if (!is_complete()) return result;
  for (const Output& output : outputs_) result.push_back(output.path);
  return result;
}

}  // namespace gadwall::files
