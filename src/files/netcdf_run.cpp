// When the NetCDF file of a run appears, and what is written to it.
#include "files/netcdf_run.hpp"

#include <utility>

#include "files/file_place.hpp"

namespace gadwall::files {
namespace {

constexpr std::chrono::seconds kLongestUnsaved{5};

}  // namespace

NetcdfRun::NetcdfRun(std::string path, NetcdfSchema schema, bool overwrite)
    : path_(std::move(path)), schema_(std::move(schema)), overwrite_(overwrite) {
  check_place(path_, overwrite);  // the file itself comes with the first draws
}

NetcdfRun::NetcdfRun(std::string path, NetcdfSchema schema, const RowsKept& rows)
    : path_(std::move(path)),
      schema_(std::move(schema)),
      writer_(NetcdfWriter::reopen(path_, rows.warmup, rows.draws,
                                   {schema_.statistics, schema_.names, schema_.facts.chains})) {
  writer_->describe(schema_.facts);
}

void NetcdfRun::begin_sampling(Index batch, const std::shared_ptr<const Tuning>& tuning) {
  if (writer_) return writer_->adapted(batch, *tuning);
  adapted_[batch] = tuning;
}

void NetcdfRun::append(const ChainBlock& block) {
  if (!writer_) {
    writer_.emplace(path_, schema_, overwrite_);
    for (const auto& [batch, tuning] : std::exchange(adapted_, {})) {
      writer_->adapted(batch, *tuning);
    }
  }
  writer_->append(block.warmup ? Phase::warmup : Phase::sampling, block.chain,
                  {block.values.data(), block.statistics.data(), block.count});
  if (std::chrono::steady_clock::now() - flushed_ > kLongestUnsaved) flush();
}

void NetcdfRun::flush() {
  if (!writer_) return;
  writer_->flush();
  flushed_ = std::chrono::steady_clock::now();
}

void NetcdfRun::finish(const RunOutcome& outcome) {
  if (!writer_) return;
  RunFacts facts = outcome.facts;
  static_cast<RunLabels&>(facts) = schema_.facts;  // what a run cannot know of itself
  writer_->finish(facts, outcome.learnt, outcome.chains);
}

}  // namespace gadwall::files
