// A thread that is needed, or an error that says what is missing.
#pragma once

#include <fmt/format.h>

#include <system_error>
#include <thread>

#include "gadwall/error.hpp"

namespace gadwall {

/// Thread: std::thread or std::jthread.
template <class Thread, class Work>
Thread start_thread(Work work) {
  try {
    return Thread(std::move(work));
  } catch (const std::system_error& error) {
    throw RunError(
        fmt::format("no thread can be started: {}; `ulimit -a` shows the limits of "
                    "processes (-u), stacks (-s) and memory (-v)",
                    error.code().message()));
  }
}

}  // namespace gadwall
