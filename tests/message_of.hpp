// What an error says.
#pragma once

#include <string>

#include "gadwall/error.hpp"

namespace gadwall::testing {

/// The message of the error of type E that the call ends with; empty where it ends with none.
template <class E = UsageError, class F>
std::string message_of(F&& call) {
  try {
    call();
  } catch (const E& error) {
    return error.what();
  }
  return "";
}

}  // namespace gadwall::testing
