#include "files/netcdf_run.hpp"

#include <utility>

#include "files/file_place.hpp"

namespace gadwall::files {

NetcdfRun::NetcdfRun(std::string path, NetcdfSchema schema, bool overwrite)
    : path_(std::move(path)), schema_(std::move(schema)), overwrite_(overwrite) {
  check_place(path_, overwrite);  // the file itself comes with the first draws
}

NetcdfRun::NetcdfRun(std::string path, NetcdfSchema schema, const RowsKept& rows)
    : path_(std::move(path)),
      schema_(std::move(schema)),
      writer_(NetcdfWriter::reopen(path_, rows.warmup, rows.draws)) {
  writer_->describe(schema_.facts);
}

void NetcdfRun::append(const ChainBlock& block) {
  if (!writer_) writer_.emplace(path_, schema_, overwrite_);
  writer_->append(block.warmup ? Phase::warmup : Phase::sampling, block.chain,
                  {block.values.data(), block.statistics.data(), block.count});
}

void NetcdfRun::flush() {
  if (writer_) writer_->flush();
}

void NetcdfRun::finish(const RunOutcome& outcome) {
  if (!writer_) return;
  RunFacts facts = outcome.facts;  // what a run cannot know of itself stays as it was
  facts.target = schema_.facts.target;
  facts.target_settings = schema_.facts.target_settings;
  facts.command = schema_.facts.command;
  writer_->finish(facts, outcome.learnt);
}

std::vector<std::string> NetcdfRun::paths() const {
  return writer_ ? std::vector<std::string>{path_} : std::vector<std::string>{};
}

}  // namespace gadwall::files
