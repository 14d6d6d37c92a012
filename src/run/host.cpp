// Keeps what the program has told the library about itself.
#include "gadwall/host.hpp"

#include <mutex>
#include <utility>

namespace gadwall {
namespace {

struct Host {
  std::mutex mutex;
  Log log;
  HoldMaker hold;
};

Host& host() {
  static Host one;
  return one;
}

class NoHold final : public Hold {
 public:
  int file() const override { return -1; }
  int take() override { return 0; }
};

}  // namespace

void set_log(Log log) {
  const std::lock_guard lock(host().mutex);
  host().log = std::move(log);
}

void say(MessageKind kind, const std::string& text) {
  const std::lock_guard lock(host().mutex);
  if (host().log) host().log(kind, text);
}

void set_hold(HoldMaker maker) {
  const std::lock_guard lock(host().mutex);
  host().hold = std::move(maker);
}

std::unique_ptr<Hold> hold_interrupts() {
  const std::lock_guard lock(host().mutex);
  return host().hold ? host().hold() : std::make_unique<NoHold>();
}

}  // namespace gadwall
