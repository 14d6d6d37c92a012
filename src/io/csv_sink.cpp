// The files of a run: when they appear, what stands in them, when they go again.
#include "io/csv_sink.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "gadwall/error.hpp"

namespace gadwall {
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

StanCsvHeader make_header(const RunPlan& plan, const std::string& target_name) {
  StanCsvHeader header;
  header.names = plan.target->names();
  header.facts.target = target_name;
  header.facts.sampler = plan.sampler->name;
  header.facts.chains = plan.run.chains;
  header.facts.lanes = plan.run.lanes;
  header.facts.warmup = plan.warmup;
  header.facts.draws = plan.draws;
  header.facts.seed = plan.run.seed;
  const auto settings = used_settings(*plan.sampler, plan.options);
  header.settings.assign(settings.begin(), settings.end());
  for (const auto& [ours, stans] : kStanWords) {
    const auto found = settings.find(ours);
    if (found != settings.end()) header.settings.emplace_back(stans, found->second);
  }
  return header;
}

}  // namespace

std::string chain_path(const std::string& name, Index chain) {
  return fmt::format("{}_{}.csv", name, chain);
}

CsvSink::CsvSink(const RunPlan& plan, const std::string& target_name, const std::string& name,
                 bool overwrite)
    : outputs_(static_cast<std::size_t>(plan.run.chains)), chains_without_draws_(plan.run.chains) {
  StanCsvHeader header = make_header(plan, target_name);
  try {
    for (Output& output : outputs_) {
      output.path = chain_path(name, header.chain);
      open(output, header, overwrite);
      ++header.chain;
    }
  } catch (...) {
    discard();
    throw;
  }
}

CsvSink::~CsvSink() {
  if (!is_complete()) discard();
}

void CsvSink::discard() noexcept {
  for (Output& output : outputs_) {
    output.writer.reset();
    std::error_code ignored;
    if (output.created) fs::remove(output.opened_path, ignored);
    output.created = false;
  }
}

/// A regular file that is to be replaced gets a new neighbour, which takes its place later. What
/// is neither there nor regular (a pipe, a device, a link to nowhere) is opened as it is.
void CsvSink::open(Output& output, StanCsvHeader header, bool overwrite) {
  std::error_code ignored;
  const bool occupied = fs::exists(fs::symlink_status(output.path, ignored));
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

void CsvSink::begin_sampling(Index chain, const Tuning& tuning) {
  StanCsvWriter& writer = *outputs_[static_cast<std::size_t>(chain)].writer;
  const Factor& factor = tuning.factor();
  if (factor.kind() == Metric::unit) {
    writer.adaptation_unit(tuning.step);
  } else if (factor.kind() == Metric::diag) {
    writer.adaptation_diagonal(tuning.step, factor.covariance_diagonal());
  } else {
    writer.adaptation_dense(tuning.step, factor.covariance());
  }
}

void CsvSink::write(Index chain, const DrawStatistics& statistics, ConstVectorRef x) {
  Output& output = outputs_[static_cast<std::size_t>(chain)];
  output.writer->draw(statistics, x);
  if (output.has_draws) return;
  output.writer->flush();  // a full disk shows here, before an old file is lost
  output.has_draws = true;
  if (--chains_without_draws_ == 0) replace_old_files();
}

void CsvSink::replace_old_files() {
  for (Output& output : outputs_) {
    if (output.real_path.empty()) continue;
    std::error_code error;
    fs::rename(output.opened_path, output.real_path, error);
    if (error) {
      throw RunError(fmt::format("{}: cannot be overwritten: {}", output.path, error.message()));
    }
  }
}

void CsvSink::finish(const RunOutcome& outcome) {
  if (!is_complete()) return discard();
  for (std::size_t c = 0; c < outputs_.size(); ++c) {
    RunFacts facts = outcome.chains[c];
    facts.seconds = outcome.facts.seconds;
    outputs_[c].writer->finish(facts);
  }
}

std::vector<std::string> CsvSink::paths() const {
  std::vector<std::string> result;
  if (!is_complete()) return result;
  for (const Output& output : outputs_) result.push_back(output.path);
  return result;
}

}  // namespace gadwall
