#include "stan/work_directory.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "gadwall/error.hpp"
#include "stan/make.hpp"

namespace gadwall::stan {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWorkName = "work-";

[[noreturn]] void refuse_cache(const fs::path& cache, const std::string& reason) {
  throw UsageError(
      fmt::format("{}: compiled Stan programs cannot be kept there ({}); set XDG_CACHE_HOME to the "
                  "path of another directory for them, from /",
                  cache.string(), reason));
}

}  // namespace

void make_private(const fs::path& cache) {
  std::error_code failure;
  const bool is_new = fs::create_directories(cache, failure);
  if (failure) refuse_cache(cache, failure.message());
  struct stat status = {};
  if (::stat(cache.c_str(), &status) != 0) refuse_cache(cache, std::strerror(errno));
  if (status.st_uid != ::geteuid()) refuse_cache(cache, "it belongs to somebody else");
  const bool was_open = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  if (is_new || was_open) fs::permissions(cache, fs::perms::owner_all, failure);
  if (failure) refuse_cache(cache, failure.message());
  if (is_new || !was_open) return;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache, failure)) {
    fs::remove_all(entry.path(), failure);
  }
  if (failure) refuse_cache(cache, failure.message());
}

WorkDirectory WorkDirectory::in_cache(const fs::path& cache) {
  std::string pattern = cache / fmt::format("{}XXXXXX", kWorkName);
  if (mkdtemp(pattern.data()) == nullptr) refuse_cache(cache, std::strerror(errno));
  return WorkDirectory(pattern);
}

WorkDirectory WorkDirectory::of_plain_name(const fs::path& cache) {
  if (is_plain(cache.string())) return in_cache(cache);
  std::string pattern = "/tmp/gadwall-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    throw RunError(fmt::format("/tmp: nothing can be compiled there: {}", std::strerror(errno)));
  }
  return WorkDirectory(pattern);
}

WorkDirectory::~WorkDirectory() {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

void remove_stale_work(const fs::path& cache) {
  constexpr std::chrono::hours kLongest(24);
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache, ignored)) {
    std::error_code unknown;
    const auto changed = entry.last_write_time(unknown);
    if (entry.path().filename().string().starts_with(kWorkName) && !unknown &&
        fs::file_time_type::clock::now() - changed > kLongest) {
      fs::remove_all(entry.path(), ignored);
    }
  }
}

}  // namespace gadwall::stan
