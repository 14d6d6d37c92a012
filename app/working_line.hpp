// A line that says what takes long, on stderr: on a terminal it disappears again.
#pragma once

#include <string>

#include "redrawn_lines.hpp"

namespace gadwall::app {

class WorkingLine {
 public:
  explicit WorkingLine(bool quiet = false) : quiet_(quiet) {}
  ~WorkingLine() { lines_.wipe(); }
  WorkingLine(const WorkingLine&) = delete;
  WorkingLine& operator=(const WorkingLine&) = delete;

  void show(const std::string& what);

 private:
  bool quiet_;
  RedrawnLines lines_;
};

}  // namespace gadwall::app
