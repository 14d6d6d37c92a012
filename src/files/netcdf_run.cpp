// When the NetCDF file of a run appears, and what is written to it.
#include "files/netcdf_run.hpp"

#include <utility>

#include "files/file_place.hpp"

namespace gadwall::files {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kLongestUnsaved{5};
constexpr std::chrono::milliseconds kLongestUnseen{500};
constexpr Index kMostHeld = 1 << 21;  // numbers

ChainBlock without_room(const ChainBlock& block) {
  ChainBlock copy;
  copy.chain = block.chain;
  copy.warmup = block.warmup;
  copy.count = block.count;
  copy.values = block.values.leftCols(block.count);
  copy.statistics = block.statistics.leftCols(block.count);
  return copy;
}

}  // namespace

NetcdfRun::NetcdfRun(std::string path, NetcdfSchema schema, bool overwrite)
    : path_(std::move(path)),
      schema_(std::move(schema)),
      overwrite_(overwrite),
      begun_(Clock::now()) {
  check_place(path_, overwrite);  // the file itself comes with the first draws
}

NetcdfRun::NetcdfRun(std::string path, NetcdfSchema schema, const RowsKept& rows)
    : path_(std::move(path)),
      schema_(std::move(schema)),
      begun_(Clock::now()),
      writer_(NetcdfWriter::reopen(path_, rows.warmup, rows.draws,
                                   {schema_.statistics, schema_.names, schema_.facts.chains})) {
  writer_->describe(schema_.facts);
}

void NetcdfRun::begin_sampling(Index batch, const std::shared_ptr<const Tuning>& tuning) {
  if (writer_) return writer_->adapted(batch, *tuning);
  adapted_[batch] = tuning;
}

/// Of a run that failed: what it had.
NetcdfRun::~NetcdfRun() {
  try {
    make_file();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): nobody to tell
  }
}

void NetcdfRun::append(const ChainBlock& block) {
  if (!writer_) {
    held_.push_back(without_room(block));
    numbers_held_ += held_.back().values.size() + held_.back().statistics.size();
    if (numbers_held_ > kMostHeld || Clock::now() - begun_ > kLongestUnseen) flush();
    return;
  }
  write(block);
  if (Clock::now() - flushed_ > kLongestUnsaved) flush();
}

void NetcdfRun::write(const ChainBlock& block) {
  writer_->append(block.warmup ? Phase::warmup : Phase::sampling, block.chain,
                  {block.values.data(), block.statistics.data(), block.count});
}

/// With what was held back for it, if anything.
void NetcdfRun::make_file() {
  if (writer_ || held_.empty()) return;
  writer_.emplace(path_, schema_, overwrite_);
  for (const auto& [batch, tuning] : std::exchange(adapted_, {})) writer_->adapted(batch, *tuning);
  for (const ChainBlock& block : std::exchange(held_, {})) write(block);
}

void NetcdfRun::flush() {
  make_file();
  if (!writer_) return;
  writer_->flush();
  flushed_ = Clock::now();
}

void NetcdfRun::finish(const RunOutcome& outcome) {
  make_file();
  if (!writer_) return;
  RunFacts facts = outcome.facts;
  static_cast<RunLabels&>(facts) = schema_.facts;  // what a run cannot know of itself
  writer_->finish(facts, outcome.learnt, outcome.chains);
}

}  // namespace gadwall::files
