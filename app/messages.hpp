// Lines on stderr for the user.
#pragma once

#include <string>
#include <vector>

namespace gadwall::app {

/// A terminal that is gone is no reason to lose a run: a failure to write is passed over.
void tell(const std::string& text);

/// One of several processes speaks for all: from the others nothing is heard.
void be_silent(bool silent);

/// Lines from elsewhere: a model, a compiler. They cannot give orders to the terminal.
void note(const std::string& text);

/// On a terminal: a line that the next message replaces; empty: none any more.
void tell_passing(const std::string& text);

/// Cleaned like notes.
void warn(const std::vector<std::string>& warnings);

}  // namespace gadwall::app
