// A directory to compile in, which is gone when it is left.
#pragma once

#include <filesystem>

namespace gadwall::stan {

class WorkDirectory {
 public:
  /// In the directory for results. UsageError that tells of XDG_CACHE_HOME where it cannot be.
  static WorkDirectory in_cache(const std::filesystem::path& cache);

  /// With a path that means itself to make and the shell: in the cache, else in /tmp.
  static WorkDirectory of_plain_name(const std::filesystem::path& cache);

  ~WorkDirectory();
  WorkDirectory(const WorkDirectory&) = delete;
  WorkDirectory& operator=(const WorkDirectory&) = delete;

  const std::filesystem::path path;

 private:
  explicit WorkDirectory(std::filesystem::path made) : path(std::move(made)) {}
};

/// What is loaded from there runs as the user: nobody else may have put it there. What is in a
/// directory that others could write to is thrown away; UsageError where it is somebody else's.
void make_private(const std::filesystem::path& cache);

/// What killed processes left behind. By age, as another machine may use the same directory.
void remove_stale_work(const std::filesystem::path& cache);

}  // namespace gadwall::stan
