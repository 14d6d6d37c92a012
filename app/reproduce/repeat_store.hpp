// The repeats that are done, one small file each, so that a reproduction can go on where it was.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "report/encode.hpp"
#include "reproduce/repeat.hpp"

namespace gadwall::app::reproduce {

report::Json to_json(const Repeat& repeat);
Repeat repeat_from_json(const report::Json& json);

/// DIRECTORY/EXPERIMENT/METHOD-NUMBER.json. Different repeats may be kept from different threads.
class RepeatStore {
 public:
  explicit RepeatStore(std::filesystem::path directory) : directory_(std::move(directory)) {}

  const std::filesystem::path& directory() const { return directory_; }
  std::filesystem::path path(const RepeatName& name) const;

  /// A file that does not hold a whole repeat counts as none.
  std::optional<Repeat> find(const RepeatName& name) const;

  /// By number; those of one method.
  std::vector<Repeat> find_all(const std::string& experiment, const std::string& method) const;

  /// Replaces what is there in one step.
  void keep(const Repeat& repeat) const;

 private:
  std::filesystem::path directory_;
};

/// What differs, e.g. "draws is 200, expected 20000"; empty where nothing does.
std::string difference(const std::map<std::string, std::string>& found,
                       const std::map<std::string, std::string>& wanted);

}  // namespace gadwall::app::reproduce
