#include "c/status.hpp"

#include <fmt/format.h>

#include <new>

#include "gadwall/error.hpp"

namespace gadwall::c {
namespace {

thread_local std::string last_error;

}  // namespace

Failure failure_of(const std::exception_ptr& error) noexcept {
  try {
    try {
      std::rethrow_exception(error);
    } catch (const UsageError& e) {
      return {GADWALL_USAGE, e.what()};
    } catch (const std::bad_alloc&) {
      return {GADWALL_FAILED, "not enough memory"};
    } catch (const std::exception& e) {
      return {GADWALL_FAILED, e.what()};
    } catch (...) {
      return {GADWALL_FAILED, "not a std::exception"};
    }
  } catch (...) {  // no memory for the message
    return {GADWALL_FAILED, {}};
  }
}

int keep_failure(const Failure& failure) noexcept {
  try {
    last_error = failure.message;
  } catch (...) {
    last_error.clear();
  }
  return failure.status;
}

void require(const void* pointer, const char* what) {
  if (pointer == nullptr) throw UsageError(fmt::format("{} is NULL", what));
}

}  // namespace gadwall::c

const char* gadwall_last_error(void) {
  return gadwall::c::last_error.c_str();
}
