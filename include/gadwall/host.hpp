// What the library asks of the program it is part of: where its messages go, and how a wait for
// another process ends early. By itself it prints nothing and touches no signals.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace gadwall {

enum class MessageKind {
  note,     // what another program said, or what is being done; with its line ends
  warning,  // one line, without its end
  progress  // a line that the next message replaces, for those who watch; empty: none any more
};

using Log = std::function<void(MessageKind kind, const std::string& text)>;

/// From here on messages go there, from any thread, one at a time; without one they are dropped.
void set_log(Log log);

/// Gives a message to the log.
void say(MessageKind kind, const std::string& text);

/// While it lives the program is not ended by an interrupt: the library has something to undo
/// first. One that comes makes file() readable.
class Hold {
 public:
  virtual ~Hold() = default;

  /// A descriptor to wait for, or -1.
  virtual int file() const = 0;

  /// The number of the signal that has come, after which it no longer waits; 0 for none.
  virtual int take() = 0;
};

using HoldMaker = std::function<std::unique_ptr<Hold>()>;

/// How a hold is made; without a maker nothing is held and nothing ends a wait.
void set_hold(HoldMaker maker);

/// Never null.
std::unique_ptr<Hold> hold_interrupts();

}  // namespace gadwall
