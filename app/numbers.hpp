// Options of the command line that are numbers. (CLI11 2.1 reads 010 as eight and turns what is too
// large into the largest number.)
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "session/numbers.hpp"

namespace gadwall::app {

using namespace session;

template <class T>
struct PlainNumber {
  using type = T;
};
template <class T>
struct PlainNumber<std::optional<T>> {
  using type = T;
};

/// An option whose value is a whole number; T may be std::optional.
template <class T>
CLI::Option* add_whole(CLI::App* parser, const std::string& option, T& value, WholeRange range,
                       const std::string& help) {
  const auto store = [option, &value, range](const std::string& text) {
    value = static_cast<typename PlainNumber<T>::type>(whole_number(option, text, range));
  };
  return parser->add_option_function<std::string>(option, store, help)->type_name("N");
}

/// An option whose value is a number, T double or std::optional of it; read is one of the functions
/// above.
template <class T>
CLI::Option* add_real(CLI::App* parser, const std::string& option, T& value,
                      double (*read)(const std::string&, const std::string&),
                      const std::string& help) {
  const auto store = [option, &value, read](const std::string& text) {
    value = read(option, text);
  };
  return parser->add_option_function<std::string>(option, store, help)->type_name("X");
}

}  // namespace gadwall::app
