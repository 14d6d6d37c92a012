// Signals that wait while the library has something to undo.
#pragma once

#include <signal.h>

#include "gadwall/host.hpp"

namespace gadwall::app {

/// While it lives, SIGINT, SIGTERM and SIGHUP wait, those aside that the program ignores.
class HeldSignals final : public Hold {
 public:
  HeldSignals();
  ~HeldSignals() override;

  int file() const override { return file_; }
  int take() override;

 private:
  sigset_t before_{};
  int file_;
};

}  // namespace gadwall::app
