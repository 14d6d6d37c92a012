#include "text/option_names.hpp"

#include <cctype>
#include <string_view>

namespace gadwall {
namespace {

constexpr std::string_view kOptionLetters = "abcdefghijklmnopqrstuvwxyz-";

}  // namespace

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
    result += "--";
    result += name;
    if (name.size() < word.size()) result.append(" ").append(word, name.size() + 1);
    at = close + 1;
  }
  return result + text.substr(at);
}

}  // namespace gadwall
