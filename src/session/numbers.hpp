// Numbers in words: decimal, all of the text, inside their limits; else a UsageError that names the
// option, the text and what is wanted.
#pragma once

#include <cstdint>
#include <string>

namespace gadwall::session {

struct WholeRange {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};

/// Also takes 2e5. The option as the message is to name it.
std::uint64_t whole_number(const std::string& option, const std::string& text, WholeRange range);

double real_number(const std::string& option, const std::string& text);
double number_from_zero(const std::string& option, const std::string& text);
double positive_number(const std::string& option, const std::string& text);

}  // namespace gadwall::session
