// Opens the files of a run, new or stopped, writes its checkpoints and closes the files.
#include "files/run_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "files/column_facts.hpp"
#include "files/csv_export.hpp"
#include "files/file_place.hpp"
#include "files/kept_summary.hpp"
#include "files/netcdf_disk.hpp"
#include "files/netcdf_journal.hpp"
#include "files/netcdf_remote.hpp"
#include "files/stan_csv_text.hpp"
#include "files/unfinished_file.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

std::string netcdf_file(const std::string& name) {
  return name + ".nc";
}

/// Files of an earlier run that this one would leave beside its own: tools that take NAME_*.csv
/// would read a mixture.
void refuse_leftovers(const std::string& name, Index first) {
  const std::string file = chain_path(name, first);
  if (!is_taken(file)) return;
  throw UsageError(
      fmt::format("{}: belongs to an earlier run with other files than this one; remove it, or "
                  "give another name",
                  file));
}

/// Before the run, not after it.
void check_csv(const RunPlan& plan, const FileOptions& options) {
  StanCsvHeader header;
  static_cast<PlannedFacts&>(header.facts) = plan.facts();
  header.facts.target = options.target;
  header.names = plan.output_names();
  header.statistics = plan.statistics;
  check_stan_csv_header(header);
  check_csv_places(options.name, plan.run.chains, options.overwrite);
}

/// From the directory of the run, so that both can be moved together.
std::string directory_seen_from(const std::string& name, const std::string& directory) {
  namespace fs = std::filesystem;
  if (directory.empty()) return "";
  std::error_code ignored;
  return fs::proximate(directory, fs::absolute(name).parent_path(), ignored).string();
}

/// Files that killed processes were making: the lock says that nobody else makes them now.
void clear_away(const std::string& name, Index chains) {
  std::vector<std::string> paths = {resolve_links(netcdf_file(name)),
                                    JournaledFile::journal_path(netcdf_file(name)),
                                    checkpoint_path(name)};
  for (Index c = 1; c <= chains; ++c) paths.push_back(chain_path(name, c));
  remove_left_over(paths);
}

/// Whether there are draws that this run left when it was killed before a checkpoint knew of them.
/// UsageError where it is somebody else's file.
bool has_own_file(const RunPlan& plan, const FileOptions& options) {
  const std::string path = netcdf_file(options.name);
  if (!is_taken(path)) return false;
  const PlannedFacts own = plan.facts();
  const RunFacts found = NetcdfRemote(path).head().facts;
  if (found.seed == own.seed && found.sampler == own.sampler && found.chains == own.chains &&
      found.target == options.target) {
    return true;
  }
  throw UsageError(
      fmt::format("{}: is not the run's own, which has no draws yet; `force` overwrites it", path));
}

NetcdfSchema make_schema(const RunPlan& plan, const FileOptions& options) {
  NetcdfSchema schema;
  schema.names = plan.output_names();
  schema.statistics = plan.statistics;
  static_cast<PlannedFacts&>(schema.facts) = plan.facts();
  static_cast<RunLabels&>(schema.facts) = {options.target, options.target_settings,
                                           options.command};
  schema.facts.draws = plan.draws;
  schema.save_warmup = plan.run.save_warmup;
  schema.data = plan.data();
  return schema;
}

}  // namespace

StoppedRun take_up(const std::string& name) {
  StoppedRun run;
  run.lock = std::make_unique<RunLock>(name);
  CheckpointFound found = read_checkpoint(name);
  run.checkpoint = std::move(found.checkpoint);
  if (!found.warning.empty()) run.warnings.push_back(found.warning);
  if (run.checkpoint.build != build_identity()) {
    run.warnings.push_back(
        fmt::format("the run was begun by another build ({}): the draws to come are as good, but "
                    "may differ in the last bits from those it would have made",
                    run.checkpoint.build));
  }
  return run;
}

bool is_run_taken(const std::string& name, Index chains) {
  for (Index c = 1; c <= chains; ++c) {
    if (is_taken(chain_path(name, c))) return true;
  }
  return is_taken(netcdf_file(name)) || has_checkpoint(name) || is_taken(name + ".lock");
}

RunFiles::RunFiles(const RunPlan& plan, const FileOptions& options, RunOrigin origin,
                   DrawWriters others)
    : options_(options), origin_(std::move(origin)), plan_(plan_fingerprint(plan)) {
  const std::string& name = options_.name;
  if (name.empty()) throw UsageError("the name of the run is '', expected one for its files");
  if (!options_.overwrite && has_checkpoint(name)) {
    throw UsageError(
        fmt::format("{}: the file exists; resume goes on with that run, `force` overwrites it",
                    checkpoint_path(name)));
  }
  refuse_leftovers(name, options_.csv ? plan.run.chains + 1 : 1);
  lock_ = std::make_unique<RunLock>(name);
  clear_away(name, plan.run.chains);
  if (options_.csv) check_csv(plan, options_);
  auto netcdf = std::make_unique<NetcdfRun>(netcdf_file(name), make_schema(plan, options_),
                                            options_.overwrite);
  remove_checkpoints(name);  // of a run that is overwritten
  remove_kept_summary(name);
  open(plan, std::move(netcdf), std::move(others));
}

RunFiles::RunFiles(const RunPlan& plan, const FileOptions& options, StoppedRun stopped,
                   RunOrigin origin, DrawWriters others)
    : options_(options),
      origin_(std::move(origin)),
      plan_(plan_fingerprint(plan)),
      lock_(std::move(stopped.lock)),
      state_(std::move(stopped.checkpoint.state)) {
  options_.name = lock_->run();
  check_plan(options_.name, stopped.checkpoint, plan);
  clear_away(options_.name, plan.run.chains);
  // A run that has no row yet begins its file anew, where it is its own.
  const RowsKept& rows = stopped.checkpoint.rows;
  const std::string path = netcdf_file(options_.name);
  const NetcdfSchema schema = make_schema(plan, options_);
  const bool goes_on = rows.draws + rows.warmup > 0;
  const bool overwrites = !goes_on && (options_.overwrite || has_own_file(plan, options_));
  open(plan,
       goes_on ? std::make_unique<NetcdfRun>(path, schema, rows)
               : std::make_unique<NetcdfRun>(path, schema, overwrites),
       std::move(others));
}

void RunFiles::open(const RunPlan& plan, std::unique_ptr<NetcdfRun> netcdf, DrawWriters others) {
  netcdf_ = netcdf.get();
  DrawWriters writers;
  writers.push_back(std::move(netcdf));
  if (!netcdf_->has_rows()) {
    auto remembered = std::make_unique<ShortRun>(plan);
    short_ = remembered.get();
    writers.push_back(std::move(remembered));
  }
  for (auto& other : others) writers.push_back(std::move(other));
  sink_ = std::make_unique<QueuedSink>(plan, std::move(writers), [this] { return read_back(); });
}

Draws RunFiles::read_back() {
  if (short_ != nullptr && short_->has_all()) return short_->draws();
  sink_->flush();
  return std::move(read_own_netcdf(netcdf_->path()).draws);
}

std::optional<ReadResult> RunFiles::remembered(const RunOutcome& outcome) const {
  if (short_ == nullptr || !short_->has_all() || outcome.facts.draws == 0) return std::nullopt;
  ReadResult result;
  result.draws = short_->draws();
  result.draws.facts = outcome.facts;
  static_cast<RunLabels&>(result.draws.facts) = {options_.target, options_.target_settings,
                                                 options_.command};
  result.draws.learnt = outcome.learnt;
  add_column_facts(result.draws);
  return result;
}

Restart RunFiles::restart() const {
  Restart restart;
  restart.state = state_;
  restart.period_seconds = options_.checkpoint_seconds;
  if (restart.period_seconds <= 0) return restart;
  restart.save = [this](const RunState& state) {
    write_checkpoint(options_.name,
                     {.arguments = origin_.arguments,
                      .fingerprints = origin_.fingerprints,
                      .plan = plan_,
                      .build = build_identity(),
                      .directory = directory_seen_from(options_.name, origin_.directory),
                      .stopped_by = state.stopped_by,
                      .rows = state.rows,
                      .state = ""},
                     state.write);
  };
  return restart;
}

void RunFiles::finish(const RunOutcome& outcome) {
  sink_->finish(outcome);
  if (options_.csv && outcome.facts.draws > 0) export_draws();
}

void RunFiles::export_draws() {
  try {
    csv_ = export_csv(netcdf_->path(),
                      {options_.name, options_.significant_digits, options_.overwrite});
  } catch (const std::runtime_error& error) {
    throw RunError(fmt::format("{}; the draws are in {}", error.what(), netcdf_->path()));
  }
}

std::shared_ptr<const Summary> RunFiles::known_summary(const RunOutcome& outcome) const {
  const auto& last = sink_->last_summary();
  return last && last->facts.draws == outcome.facts.draws ? last : nullptr;
}

std::vector<std::string> RunFiles::paths() const {
  std::vector<std::string> result;
  if (netcdf_->has_rows()) result.push_back(netcdf_->path());
  result.insert(result.end(), csv_.begin(), csv_.end());
  return result;
}

}  // namespace gadwall::files
