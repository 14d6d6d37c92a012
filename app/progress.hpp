// Progress on stderr while a run goes: one line a chain, redrawn in place. Only on a terminal.
#pragma once

#include <string>
#include <thread>

#include "gadwall/run.hpp"

namespace gadwall::app {

class Progress {
 public:
  /// Shows nothing where stderr is not a terminal, or when quiet.
  Progress(const Monitor& monitor, Index warmup, Index draws, bool quiet);
  ~Progress();  // wipes the lines
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  std::jthread painter_;
};

/// "chain 1  sampling  123 / 2000  accept 0.55  4 s left"
std::string progress_line(Index chain, const ChainProgress& progress, Index warmup, Index draws,
                          double elapsed_seconds);

}  // namespace gadwall::app
