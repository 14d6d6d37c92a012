#include "stan/old_arrays.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace gadwall::stan {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Reads a program from front to back.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool is_at_end() const { return at_ >= text_.size(); }
  char next() const { return is_at_end() ? '\0' : text_[at_]; }
  bool sees(std::string_view text) const { return text_.substr(at_).starts_with(text); }
  bool sees_word(std::string_view word) const {
    const std::size_t end = at_ + word.size();
    return sees(word) && (end >= text_.size() || !is_word(text_[end]));
  }

  std::string_view take(std::size_t count) {
    const std::string_view taken = text_.substr(at_, count);
    at_ += taken.size();
    return taken;
  }
  std::string_view take_to(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    return take(found == std::string_view::npos ? text_.size() : found + end.size() - at_);
  }
  std::string_view take_word() { return take_while(is_word); }
  std::string_view take_blanks() {
    return take_while([](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
  }

  /// A comment or a string; empty where there is none.
  std::string_view take_aside() {
    if (sees("//") || sees("#")) return take_to("\n");
    if (sees("/*")) return take_to("*/");
    if (next() != '"') return {};
    const std::size_t begin = at_;
    ++at_;
    take_to("\"");
    return text_.substr(begin, at_ - begin);
  }

  /// From an opening bracket to the one that closes it; empty where there is none. A comparison in
  /// parentheses closes no <.
  std::string_view take_bracketed(char open, char close) {
    const std::size_t begin = at_;
    if (next() != open) return {};
    int depth = 0;
    int parentheses = 0;
    do {
      parentheses += next() == '(' ? 1 : 0;
      parentheses -= next() == ')' ? 1 : 0;
      if (parentheses == 0 && next() == open) ++depth;
      if (parentheses == 0 && next() == close) --depth;
      ++at_;
    } while (depth > 0 && !is_at_end());
    return text_.substr(begin, at_ - begin);
  }

  /// Blanks and comments.
  std::string_view take_gap() {
    const std::size_t begin = at_;
    while (!take_blanks().empty() || ((sees("//") || sees("/*")) && !take_aside().empty())) {
    }
    return text_.substr(begin, at_ - begin);
  }

  std::size_t at() const { return at_; }
  void go_back(std::size_t at) { at_ = at; }

 private:
  template <class P>
  std::string_view take_while(P holds) {
    const std::size_t begin = at_;
    while (!is_at_end() && holds(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Blanks and what is in brackets behind them; nothing is taken where there is no bracket.
std::string_view take_part(Reader& reader, char open, char close) {
  const std::size_t begin = reader.at();
  reader.take_blanks();
  const std::string_view part = reader.take_bracketed(open, close);
  if (part.empty()) reader.go_back(begin);
  return part;
}

/// vector<lower=0>[K]
std::string take_type(Reader& reader) {
  std::string type(reader.take_word());
  type += take_part(reader, '<', '>');
  type += take_part(reader, '[', ']');
  return type;
}

std::string lines_in(std::string_view text) {
  return std::string(static_cast<std::size_t>(std::ranges::count(text, '\n')), '\n');
}

std::string without_lines(std::string_view text) {
  std::string result(text);
  std::ranges::replace(result, '\n', ' ');
  return result;
}

/// x, y = ..., z; with the sizes behind every name.
std::string take_names(Reader& reader, std::string_view sizes) {
  std::string names;
  int names_seen = 0;
  int depth = 0;  // of brackets in a value
  bool is_name = true;
  while (!reader.is_at_end() && reader.next() != ';') {
    if (const std::string_view aside = reader.take_aside(); !aside.empty()) {
      names += aside;
    } else if (is_name && is_word(reader.next())) {
      names += reader.take_word();
      names += names_seen++ == 0 ? std::string(sizes) : without_lines(sizes);
      is_name = false;
    } else {
      const char c = reader.next();
      depth += c == '(' || c == '[' || c == '{' ? 1 : 0;
      depth -= c == ')' || c == ']' || c == '}' ? 1 : 0;
      if (depth < 0) break;  // the end of a list of arguments
      is_name = is_name || (depth == 0 && c == ',');
      names += reader.take(1);
    }
  }
  return names;
}

/// What stands for the array type here; empty where `array` is only a name.
std::string take_array(Reader& reader) {
  const std::size_t begin = reader.at();
  reader.take_word();
  reader.take_blanks();
  const std::string_view sizes = reader.take_bracketed('[', ']');
  const std::string_view gap = reader.take_gap();
  if (sizes.empty() || !is_word(reader.next())) {
    reader.go_back(begin);
    return {};
  }
  const std::string type = take_type(reader);
  const bool is_of_function = sizes.find_first_not_of("[], \t\n") == std::string_view::npos;
  if (is_of_function) return type + std::string(sizes) + lines_in(gap);
  const std::string between(reader.take_blanks());
  return type + lines_in(gap) + between + take_names(reader, sizes);
}

}  // namespace

std::string with_old_arrays(const std::string& program) {
  Reader reader(program);
  std::string old;
  while (!reader.is_at_end()) {
    if (const std::string_view aside = reader.take_aside(); !aside.empty()) {
      old += aside;
    } else if (!is_word(reader.next())) {
      old += reader.take(1);
    } else if (reader.sees_word("array")) {
      const std::string array = take_array(reader);
      old += array.empty() ? std::string(reader.take_word()) : array;
    } else {
      old += reader.take_word();
    }
  }
  return old;
}

}  // namespace gadwall::stan
