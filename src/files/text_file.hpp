// A whole file as text, plain or compressed with gzip.
#pragma once

#include <string>

namespace gadwall::files {

/// The content of the file. Gzip is recognised by content, not by name. Throws UsageError, naming
/// the path, for a file that is missing, unreadable, a directory, or gzip cut short or damaged.
std::string read_text_file(const std::string& path);

}  // namespace gadwall::files
