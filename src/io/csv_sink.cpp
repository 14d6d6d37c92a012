#include "io/csv_sink.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <utility>

namespace gadwall {
namespace {

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
    : header_(make_header(plan, target_name)), outputs_(static_cast<std::size_t>(plan.run.chains)) {
  try {
    for (Index c = 0; c < plan.run.chains; ++c) {
      Output& output = outputs_[static_cast<std::size_t>(c)];
      output.path = chain_path(name, c + 1);
      if (!overwrite || !std::filesystem::exists(output.path)) open(output, c, false);
    }
  } catch (...) {
    remove_unused();
    throw;
  }
}

CsvSink::~CsvSink() {
  remove_unused();
}

void CsvSink::remove_unused() noexcept {
  for (Output& output : outputs_) {
    if (output.began || !output.writer) continue;
    output.writer.reset();
    std::error_code ignored;
    std::filesystem::remove(output.path, ignored);
  }
}

void CsvSink::open(Output& output, Index chain, bool overwrite) {
  header_.chain = chain + 1;
  output.writer = std::make_unique<StanCsvWriter>(output.path, header_, overwrite);
}

void CsvSink::begin_sampling(Index chain, const Tuning& tuning) {
  Output& output = outputs_[static_cast<std::size_t>(chain)];
  if (!output.writer) {
    const std::lock_guard lock(header_mutex_);
    open(output, chain, true);
  }
  output.began = true;
  StanCsvWriter& writer = *output.writer;
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
  outputs_[static_cast<std::size_t>(chain)].writer->draw(statistics, x);
}

void CsvSink::finish(const RunOutcome& outcome) {
  for (std::size_t c = 0; c < outputs_.size(); ++c) {
    if (!outputs_[c].began) continue;
    RunFacts facts = outcome.chains[c];
    facts.seconds = outcome.facts.seconds;
    outputs_[c].writer->finish(facts);
  }
  remove_unused();
}

std::vector<std::string> CsvSink::paths() const {
  std::vector<std::string> result;
  for (const Output& output : outputs_) {
    if (output.began) result.push_back(output.path);
  }
  return result;
}

}  // namespace gadwall
