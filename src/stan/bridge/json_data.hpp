// Stan's JSON: one object whose members are numbers, (nested) arrays of numbers, or tuples of them.
// C++14, and nothing but the standard library: it is compiled into models.
//
// Not only JSON: NaN, Infinity, -Infinity and their spellings as strings are numbers, as Stan
// writes and reads them.
#pragma once

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace gadwall_stan {

/// An array with its values in column-major order (the first index runs fastest).
struct Variable {
  std::vector<std::size_t> dims;  // none: a scalar
  std::vector<double> values;
  bool is_integer = true;  // every value was written without point or exponent, and fits an int
};

using Variables = std::map<std::string, Variable>;

/// Throws std::runtime_error with the line of what is wrong.
class JsonReader {
 public:
  explicit JsonReader(const std::string& text) : text_(text) {}

  Variables read() {
    Variables variables;
    skip_blanks();
    if (at_ == text_.size()) return variables;  // no data
    expect('{');
    if (!take('}')) {
      do {
        const std::string name = string();
        expect(':');
        member(name, variables);
      } while (take(','));
      expect('}');
    }
    skip_blanks();
    if (at_ != text_.size()) fail("there is more after the closing }");
    return variables;
  }

 private:
  /// The parts of a tuple, {"1": 0.5, "2": [1, 2]}, are variables NAME:1 and NAME:2; those of an
  /// array of tuples NAME.1:1, ...
  void member(const std::string& name, Variables& variables) {
    if (take('{')) {
      do {
        const std::string part = string();
        expect(':');
        member(name + ":" + part, variables);
      } while (take(','));
      return expect('}');
    }
    if (sees_array_of_tuples()) {
      std::size_t count = 0;
      expect('[');
      do {
        name_ = name;
        skip_blanks();
        if (seen() != "'{'" && !sees_array_of_tuples()) fail_word(seen(), "a tuple");
        member(name + "." + std::to_string(++count), variables);
      } while (take(','));
      return expect(']');
    }
    if (!variables.emplace(name, variable(name)).second) fail("'" + name + "' is there twice");
  }

  bool sees_array_of_tuples() const {
    const std::size_t first = text_.find_first_not_of(" \t\r\n[", at_);
    const std::size_t bracket = text_.find('[', at_);
    return first != text_.npos && text_[first] == '{' && bracket < first;
  }

  Variable variable(const std::string& name) {
    Variable rows;  // values in the order of the text: the last index runs fastest
    name_ = name;
    value(rows, 0);
    return column_major(rows);
  }

  /// level: how many arrays the value is in.
  void value(Variable& into, std::size_t level) {
    if (take('[')) return array(into, level);
    if (level != into.dims.size()) fail_ragged();
    number(into);
  }

  void array(Variable& into, std::size_t level) {
    constexpr auto unknown = std::numeric_limits<std::size_t>::max();
    if (level == into.dims.size()) {
      if (!into.values.empty()) fail_ragged();
      into.dims.push_back(unknown);
    }
    std::size_t count = 0;
    if (!take(']')) {
      do {
        value(into, level + 1);
        ++count;
      } while (take(','));
      expect(']');
    }
    if (into.dims[level] != unknown && into.dims[level] != count) fail_ragged();
    into.dims[level] = count;
  }

  void number(Variable& into) {
    skip_blanks();
    const bool quoted = at_ < text_.size() && text_[at_] == '"';
    std::string word = quoted ? string() : "";
    while (!quoted && at_ < text_.size() && is_number_character(text_[at_])) word += text_[at_++];
    if (!quoted && word.empty()) fail_word(seen(), "a number");
    const double value = to_number(word, into.is_integer);
    if (quoted && std::isfinite(value)) fail_word('"' + word + '"', "a number without quotes");
    into.values.push_back(value);
  }

  static bool is_number_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-' || c == '.';
  }

  double to_number(const std::string& word, bool& is_integer) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const bool negative = !word.empty() && word[0] == '-';
    const std::string size =
        word.substr(!word.empty() && (word[0] == '-' || word[0] == '+') ? 1 : 0);
    double result = 0;
    if (size == "Inf" || size == "inf" || size == "Infinity") {
      result = negative ? -infinity : infinity;
      is_integer = false;
    } else if (word == "NaN" || word == "nan") {
      result = std::numeric_limits<double>::quiet_NaN();
      is_integer = false;
    } else {
      char* end = nullptr;
      result = std::strtod(word.c_str(), &end);
      const bool decimal = word.find_first_not_of("+-.eE0123456789") == word.npos;
      if (word.empty() || !decimal || *end != '\0') fail_word("'" + word + "'", "a number");
      if (word.find_first_of(".eE") != word.npos || result < std::numeric_limits<int>::min() ||
          result > std::numeric_limits<int>::max()) {
        is_integer = false;
      }
    }
    return result;
  }

  /// Names are plain words: escapes are not needed, and not understood.
  std::string string() {
    expect('"');
    std::string result;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\') fail("a name with a backslash");
      result += text_[at_++];
    }
    expect('"');
    return result;
  }

  static Variable column_major(const Variable& rows) {
    Variable result = rows;
    std::vector<std::size_t> index(rows.dims.size(), 0);
    for (const double value : rows.values) {
      std::size_t place = 0;
      for (std::size_t d = index.size(); d-- > 0;) place = place * rows.dims[d] + index[d];
      result.values[place] = value;
      for (std::size_t d = index.size(); d-- > 0;) {
        if (++index[d] < rows.dims[d]) break;
        index[d] = 0;
      }
    }
    return result;
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  bool take(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail(seen() + " where '" + c + "' is expected");
  }

  std::string seen() const {
    return at_ == text_.size() ? "the end of the text" : std::string("'") + text_[at_] + "'";
  }

  [[noreturn]] void fail_word(const std::string& word, const std::string& wanted) const {
    fail("'" + name_ + "': " + word + " where " + wanted + " is expected");
  }

  [[noreturn]] void fail_ragged() const {
    fail("'" + name_ + "' is not a rectangular array: its rows differ in length or depth");
  }

  [[noreturn]] void fail(const std::string& what) const {
    std::size_t line = 1;
    for (std::size_t i = 0; i < at_; ++i) line += text_[i] == '\n' ? 1 : 0;
    throw std::runtime_error("JSON, line " + std::to_string(line) + ": " + what);
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::string name_;  // of the variable that is read
};

/// The names of the elements as Stan writes them: theta.1, theta.2, L.1.1, L.2.1, ...
inline std::vector<std::string> element_names(const std::string& name, const Variable& variable) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < variable.values.size(); ++i) {
    std::string full = name;
    std::size_t rest = i;
    for (const std::size_t length : variable.dims) {
      full += '.';
      full += std::to_string(rest % length + 1);
      rest /= length;
    }
    result.push_back(full);
  }
  return result;
}

}  // namespace gadwall_stan
