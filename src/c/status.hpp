// Exceptions become statuses here: none leaves the C interface.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "gadwall/gadwall.h"

namespace gadwall::c {

/// The status and the line that an exception stands for.
struct Failure {
  int status = GADWALL_OK;
  std::string message;
};
Failure failure_of(const std::exception_ptr& error) noexcept;

/// Keeps the message for gadwall_last_error; the status.
int keep_failure(const Failure& failure) noexcept;

template <class F>
int guarded(F&& f) noexcept {
  try {
    std::forward<F>(f)();
    return GADWALL_OK;
  } catch (...) {
    return keep_failure(failure_of(std::current_exception()));
  }
}

/// A function that makes an object: NULL where it fails.
template <class Object, class F>
int guarded_make(Object** made, F&& f) noexcept {
  if (made == nullptr) return keep_failure({GADWALL_USAGE, "the place for the result is NULL"});
  *made = nullptr;
  return guarded([&] { *made = f(); });
}

/// A function that returns text: NULL where it fails.
template <class F>
const char* guarded_text(F&& f) noexcept {
  const char* text = nullptr;
  guarded([&] { text = f(); });
  return text;
}

/// NULL where there is none.
inline const char* text_at(const std::vector<std::string>& texts, std::int64_t i) {
  if (i < 0 || static_cast<std::size_t>(i) >= texts.size()) return nullptr;
  return texts[static_cast<std::size_t>(i)].c_str();
}

/// UsageError where a pointer that is needed is NULL.
void require(const void* pointer, const char* what);

}  // namespace gadwall::c
