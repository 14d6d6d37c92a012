// The draws of a run, from whatever files hold them.
#include "files/read_run.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "files/checkpoint.hpp"
#include "files/netcdf_file.hpp"
#include "files/netcdf_stream.hpp"
#include "files/run_parts.hpp"
#include "files/stan_csv.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) && !std::filesystem::is_directory(path, ignored);
}

/// The text without its ending; empty where it does not end so.
std::string without(const std::string& text, std::string_view ending) {
  const bool ends = text.size() > ending.size() && text.ends_with(ending);
  return ends ? text.substr(0, text.size() - ending.size()) : "";
}

/// Whether a run that is to replace this one has begun, and has no draws yet: the file appears with
/// the first of them. By its checkpoint, or its lock where it was killed before there was one.
bool is_superseded(const std::string& path) {
  namespace fs = std::filesystem;
  const std::string name = run_name(path);
  const auto found = checkpoint_header(name);
  if (found && (found->rows.draws > 0 || found->rows.warmup > 0)) return false;
  const std::string sign = found ? checkpoint_path(name) : name + ".lock";
  std::error_code none_there;
  const auto begun = fs::last_write_time(sign, none_there);
  if (none_there) return false;
  const auto written = fs::last_write_time(path, none_there);
  return !none_there && written < begun;
}

ReadResult read_with_warning(const std::string& path) {
  ReadResult result = read_netcdf(path);
  for (std::string& warning : warnings_of(path)) result.warnings.push_back(std::move(warning));
  return result;
}

}  // namespace

std::vector<std::string> warnings_of(const std::string& argument) {
  const std::string path = netcdf_path(argument);
  if (path.empty() || !is_superseded(path)) return {};
  return {fmt::format(
      "{}: holds the draws of an earlier run; the one that replaces it has none yet", path)};
}

void require_draws_begun(const std::string& argument) {
  const std::string name = run_name(argument);
  const std::string path = netcdf_path(argument);
  const bool is_csv = argument.ends_with(".csv") && is_file(argument);
  if (!has_checkpoint(name) || (!path.empty() && is_file(path)) || is_csv ||
      is_file(argument + "_1.csv")) {
    return;
  }
  const auto found = checkpoint_header(name);
  if (found && (found->rows.draws > 0 || found->rows.warmup > 0)) {
    throw UsageError(fmt::format("{}: there is no {}.nc any more, only {}", argument, name,
                                 checkpoint_path(name)));
  }
  throw UsageError(
      fmt::format("{}: the run has no draws yet, only {}; gadwall resume goes on with it", argument,
                  checkpoint_path(name)));
}

std::string netcdf_path(const std::string& argument) {
  if (argument.ends_with(".nc")) return argument;
  const std::string path = argument + ".nc";
  return is_file(path) && !argument.ends_with(".csv") ? path : "";
}

ReadResult read_run(const std::vector<std::string>& arguments, const ReadOptions& options) {
  std::vector<std::string> netcdf;
  std::string other;
  for (const std::string& argument : arguments) {
    require_draws_begun(argument);
    const std::string path = netcdf_path(argument);
    if (path.empty()) {
      other = argument;
    } else {
      netcdf.push_back(path);
    }
  }
  if (netcdf.empty()) return read_stan_csv(find_run_files(arguments), options);
  if (!other.empty()) {
    find_run_files({other});  // says so where there is none
    throw UsageError(
        fmt::format("{} is a whole run and {} is none, expected NetCDF files alone, "
                    "or CSV files alone",
                    netcdf.front(), other));
  }
  if (netcdf.size() == 1) return read_with_warning(netcdf.front());
  std::vector<ReadResult> parts;
  for (const std::string& path : netcdf) parts.push_back(read_with_warning(path));
  return taken_as_one(netcdf, std::move(parts));
}

void read_draw_blocks(const std::string& netcdf,
                      const std::function<void(const ChainBlock&)>& take) {
  const NetcdfStream stream(netcdf);
  for (Index c = 0; c < stream.chains(); ++c) stream.read(Phase::sampling, c, take);
}

Draws read(const std::string& run) {
  return std::move(read_run({run}).draws);
}

std::string run_name(const std::string& argument) {
  for (const std::string_view ending : {".nc", ".checkpoint"}) {
    const std::string name = without(argument, ending);
    if (!name.empty()) return name;
  }
  const std::string chain = without(argument, ".csv");
  const auto number = chain.find_last_not_of("0123456789");
  const bool numbered = number != std::string::npos && number > 0 && chain[number] == '_' &&
                        number + 1 < chain.size();
  return numbered ? chain.substr(0, number) : argument;
}

}  // namespace gadwall::files
