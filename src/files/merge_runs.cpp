// Copies the chains of several draws files into one, some rows at a time.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "files/file_place.hpp"
#include "files/kept_summary.hpp"
#include "files/netcdf_stream.hpp"
#include "files/read_run.hpp"
#include "files/run_files.hpp"
#include "files/run_parts.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

namespace fs = std::filesystem;

struct OpenPart {
  std::unique_ptr<NetcdfStream> stream;
  RunPart part;
};

std::string path_of(const std::string& run) {
  require_draws_begun(run);
  const std::string path = netcdf_path(run);
  if (!path.empty()) return path;
  throw UsageError(fmt::format("{}: there is no {}.nc, expected a run: NAME or NAME.nc", run, run));
}

std::vector<RunPart> descriptions(const std::vector<OpenPart>& parts) {
  std::vector<RunPart> result;
  for (const OpenPart& open : parts) result.push_back(open.part);
  return result;
}

/// The first draws of a chain as bytes; empty where it does not move in them.
std::string first_draws(const NetcdfStream& stream, Index chain) {
  constexpr Index kLooked = 50;
  const Index count = std::min(kLooked, stream.rows(Phase::sampling));
  const Matrix values = stream.rows_of(Phase::sampling, chain, 0, count).values;
  const bool moves = (values.colwise() - values.col(0)).cwiseAbs().maxCoeff() > 0;
  if (!moves) return "";
  return {reinterpret_cast<const char*>(values.data()),
          static_cast<std::size_t>(values.size()) * sizeof(double)};
}

/// Whatever seeds and numbers the files claim.
void require_other_draws(const std::vector<OpenPart>& parts) {
  std::map<std::string, std::string> seen;
  for (const OpenPart& open : parts) {
    for (Index c = 0; c < open.stream->chains(); ++c) {
      const std::string draws = first_draws(*open.stream, c);
      const std::string name = fmt::format("chain {} of {}", c + 1, open.part.path);
      if (draws.empty()) continue;
      const auto [other, is_new] = seen.emplace(draws, name);
      if (is_new) continue;
      throw UsageError(fmt::format("{} and {} have the same draws, expected different chains",
                                   other->second, name));
    }
  }
}

/// In the order of the chains, checked.
std::vector<OpenPart> open_parts(const std::vector<std::string>& runs) {
  std::vector<OpenPart> given;
  for (const std::string& run : runs) {
    const std::string path = path_of(run);
    auto stream = std::make_unique<NetcdfStream>(path);
    RunPart part{path, stream->facts(), stream->names(), stream->statistics()};
    given.push_back({std::move(stream), std::move(part)});
  }
  const std::vector<RunPart> parts = descriptions(given);
  require_same_kind(parts);
  require_other_chains(parts);
  const PartData first{given.front().part.path, given.front().stream->data()};
  for (const OpenPart& open : given) {
    require_same_data({open.part.path, open.stream->data()}, first);
  }
  require_other_draws(given);
  std::vector<OpenPart> ordered;
  for (const std::size_t p : in_order_of_chains(parts)) ordered.push_back(std::move(given[p]));
  return ordered;
}

Index fewest_rows(const std::vector<OpenPart>& parts, Phase phase) {
  Index fewest = parts.front().stream->rows(phase);
  for (const OpenPart& open : parts) fewest = std::min(fewest, open.stream->rows(phase));
  return fewest;
}

/// All chains go on side by side, since rows that only some of them have wait in memory.
void copy_rows(const std::vector<OpenPart>& parts, Phase phase, NetcdfWriter& to) {
  const Index rows = fewest_rows(parts, phase);
  if (rows == 0) return;
  const Index step = parts.front().stream->rows_at_once(phase);
  for (Index first = 0; first < rows; first += step) {
    Index chain = 0;
    for (const OpenPart& open : parts) {
      for (Index c = 0; c < open.stream->chains(); ++c, ++chain) {
        const ChainBlock block =
            open.stream->rows_of(phase, c, first, std::min(step, rows - first));
        to.append(phase, chain, {block.values.data(), block.statistics.data(), block.count});
      }
    }
  }
}

/// What every part has for each of its chains or batches; nothing where one of them lacks it.
template <class T, class Get, class Count>
std::vector<T> from_every_part(const std::vector<OpenPart>& parts, Get get, Count count) {
  std::vector<T> all;
  for (const OpenPart& open : parts) {
    std::vector<T> own = get(*open.stream);
    if (static_cast<Index>(own.size()) != count(open.part.facts)) return {};
    for (T& one : own) all.push_back(std::move(one));
  }
  return all;
}

void write_merged(const std::vector<OpenPart>& parts, const std::string& path,
                  const std::string& command) {
  NetcdfSchema schema;
  schema.names = parts.front().part.names;
  schema.statistics = parts.front().part.statistics;
  schema.facts = facts_together(descriptions(parts));
  schema.facts.command = command;
  schema.save_warmup = fewest_rows(parts, Phase::warmup) > 0;
  schema.data = parts.front().stream->data();
  NetcdfWriter writer(path, schema, true);
  copy_rows(parts, Phase::warmup, writer);
  copy_rows(parts, Phase::sampling, writer);
  const auto learnt = from_every_part<Learnt>(
      parts, [](const NetcdfStream& s) { return s.learnt(); },
      [](const RunFacts& f) { return f.chains / std::max<Index>(1, f.lanes); });
  const auto costs = from_every_part<MeasuredFacts>(
      parts, [](const NetcdfStream& s) { return s.chain_costs(); },
      [](const RunFacts& f) { return f.chains; });
  writer.finish(schema.facts, learnt, costs);
}

void require_free(const std::string& name, const std::string& path,
                  const std::vector<OpenPart>& parts, bool overwrite) {
  std::error_code ignored;
  for (const OpenPart& open : parts) {
    if (!fs::equivalent(path, open.part.path, ignored)) continue;
    throw UsageError(fmt::format("{}: is one of the runs, expected another name", path));
  }
  check_place(path, overwrite);
  if (overwrite || !has_checkpoint(name)) return;
  throw UsageError(fmt::format("{}: belongs to another run, expected another name, or `force`",
                               checkpoint_path(name)));
}

}  // namespace

MergedRun merge_runs(const std::vector<std::string>& runs, const std::string& name, bool overwrite,
                     const std::string& command) {
  if (runs.size() < 2) throw UsageError("one run is given, expected two or more to merge");
  if (fs::path(name).filename().empty()) {
    throw UsageError(fmt::format("{}: is a directory, expected a name for the merged run", name));
  }
  const std::vector<OpenPart> parts = open_parts(runs);
  MergedRun merged{name + ".nc", cut_warnings(descriptions(parts))};
  for (const OpenPart& open : parts) {
    for (std::string& warning : warnings_of(open.part.path)) {
      merged.warnings.push_back(std::move(warning));
    }
    if (open.stream->is_finished()) continue;
    merged.warnings.push_back(
        fmt::format("{}: the run was interrupted, its draws so far are taken", open.part.path));
  }
  require_free(name, merged.path, parts, overwrite);
  const RunLock lock(name);
  const std::string unfinished = name + ".merging.nc";
  try {
    write_merged(parts, unfinished, command);
    take_name(unfinished, merged.path, overwrite);
  } catch (...) {
    std::error_code ignored;
    fs::remove(unfinished, ignored);
    throw;
  }
  remove_checkpoints(name);  // of a run that is overwritten
  remove_kept_summary(name);
  return merged;
}

}  // namespace gadwall::files
