// The options of the C interface: names and values as text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gadwall/files.hpp"
#include "gadwall/gadwall.h"
#include "session/run_request.hpp"

namespace gadwall::c {

using Words = std::vector<std::pair<std::string, std::string>>;

/// UsageError where a name or a value is NULL. `init` is another name of `start`.
Words words_from(const gadwall_option* options, std::size_t count);

/// Options about the files of a run.
struct OutputWord {
  const char* name;
  const char* kind;  // as session::RequestOption
  const char* help;
  void (*set)(files::FileOptions&, const std::string&);
};
const std::vector<OutputWord>& output_words();

/// What a run is told: the plan follows from the request, and its files, where it has a name.
struct RunWords {
  session::RunRequest request;
  files::FileOptions files;
};

/// UsageError with the nearest name where there is no such option.
RunWords read_words(const Words& words);

/// The words that lead to what a resumed run is to do. done: draws that there are.
Words changed_words(Words words, const Words& changes, Index done);

/// For a checkpoint, and back. UsageError where the run was begun by other means.
std::vector<std::string> to_arguments(const Words& words);
Words from_arguments(const std::vector<std::string>& arguments, const std::string& run);

}  // namespace gadwall::c
