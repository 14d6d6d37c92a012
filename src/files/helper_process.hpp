// Work that may crash, or never end, in a process of its own, which answers questions.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>

#include "files/netcdf_disk.hpp"

namespace gadwall::files {

/// Bytes to the other process and from it. False where that one is gone.
class Channel {
 public:
  explicit Channel(OpenFile end) : end_(std::move(end)) {}
  bool send(const void* bytes, std::size_t count) const;
  bool receive(void* bytes, std::size_t count) const;
  int file() const { return end_; }

 private:
  OpenFile end_;
};

/// A copy of this process that does one thing. It has no files but its channel, writes nothing to
/// the terminal, hears no signal, leaves no core file, and ends with the thread that started it.
/// Threads other than that one are not copied: what `serve` calls must need no lock that they may
/// hold (malloc's is safe).
class HelperProcess {
 public:
  /// The process ends where `serve` returns, throws or crashes. RunError where there is none to
  /// have.
  explicit HelperProcess(const std::function<void(const Channel&)>& serve);
  ~HelperProcess();
  HelperProcess(const HelperProcess&) = delete;
  HelperProcess& operator=(const HelperProcess&) = delete;

  const Channel& channel() const { return channel_; }

  /// Waits until it has ended. The number of the signal that ended it; 0 where it was none, or
  /// where it is not known.
  int signal_at_end();

 private:
  Channel channel_;
  pid_t process_ = -1;  // none: it has ended
};

/// For `serve`: from here on the process may compute for so many seconds, whatever the clock says;
/// more end it with SIGXCPU.
void allow_computing(unsigned seconds);

}  // namespace gadwall::files
