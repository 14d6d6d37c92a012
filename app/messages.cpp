#include "messages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cctype>
#include <cstdio>
#include <string_view>

#include "text/text_table.hpp"

namespace gadwall::app {
namespace {

constexpr std::string_view kOptionLetters = "abcdefghijklmnopqrstuvwxyz-";

std::atomic<bool> has_passing_line = false;
std::atomic<bool> is_silent = false;

}  // namespace

void be_silent(bool silent) {
  is_silent = silent;
}

void tell(const std::string& text) {
  if (is_silent) return;
  if (has_passing_line.exchange(false)) std::fputs("\r\033[K", stderr);
  std::fputs(text.c_str(), stderr);
}

void tell_passing(const std::string& text) {
  if (isatty(STDERR_FILENO) == 0) return;
  tell(text);
  has_passing_line = !text.empty();
}

std::string with_dashes(const std::string& text) {
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find('`', at);
    const std::size_t close = open == text.npos ? open : text.find('`', open + 1);
    if (close == text.npos) break;
    const std::string word = text.substr(open + 1, close - open - 1);
    const std::string name = word.substr(0, word.find('='));
    const bool is_option = !name.empty() && std::islower(static_cast<unsigned char>(name[0])) &&
                           name.find_first_not_of(kOptionLetters) == name.npos;
    result += text.substr(at, open - at);
    if (!is_option) {  // the second one may open a word
      result += text.substr(open, close - open);
      at = close;
      continue;
    }
    result += "--" + name;
    if (name.size() < word.size()) result += " " + word.substr(name.size() + 1);
    at = close + 1;
  }
  return result + text.substr(at);
}

void note(const std::string& text) {
  tell(printable(text, "\n\t"));
}

void warn(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    tell(fmt::format("gadwall: warning: {}\n", printable(with_dashes(warning), "\n")));
  }
}

}  // namespace gadwall::app
