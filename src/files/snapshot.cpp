#include "files/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "files/atomic_file.hpp"
#include "files/file_place.hpp"
#include "files/netcdf_journal.hpp"
#include "files/read_run.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {

std::string take_snapshot(const std::string& run, const std::string& copy, bool overwrite) {
  const std::string path = netcdf_path(run);
  if (path.empty()) {
    throw UsageError(
        fmt::format("{}: there is no {}.nc, expected a run: NAME or NAME.nc", run, run));
  }
  std::error_code ignored;
  if (std::filesystem::equivalent(path, copy, ignored)) {
    throw UsageError(fmt::format("{}: is the run itself, expected another name", copy));
  }
  check_place(copy, overwrite);
  const JournaledFile file(path, JournaledFile::Mode::read);
  AtomicFile to(copy);
  std::string block(std::size_t{1} << 20, '\0');
  for (std::uint64_t at = 0; at < file.size(); at += block.size()) {
    block.resize(std::min<std::uint64_t>(block.size(), file.size() - at));
    file.read(at, block.data(), block.size());
    to.write(block);
  }
  to.commit();
  return copy;
}

}  // namespace gadwall::files
