// A run that is watched from the terminal: its progress on stderr, Ctrl-C as its end.
#pragma once

#include <atomic>
#include <string>
#include <thread>

#include "gadwall/sample.hpp"

namespace gadwall {

/// "sampling 1200 / 20000  16 chains  acceptance 0.57  divergences 0"
std::string progress_line(const RunPlan& plan, const Monitor& monitor);

/// As long as it lives, as options.progress and options.stop_on_interrupt say. Several may live at
/// once: Ctrl-C ends all their runs.
class Watch {
 public:
  Watch(const RunPlan& plan, Monitor& monitor, const SampleOptions& options);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  void look(const RunPlan& plan, Monitor& monitor) const;

  bool shows_, stops_;
  int interrupts_before_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace gadwall
