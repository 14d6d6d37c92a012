// Stan programs in tests of the program: the libraries are written by hand.
#pragma once

#include "app/program.hpp"

namespace gadwall::app {

class StanSample : public ProgramTest {
 protected:
  static std::string fake(const std::string& kind) {
    return std::string(GADWALL_FAKE_MODELS) + "/fake_" + kind + ".so";
  }
  const std::string short_run_ =
      " --sampler mala --warmup 100 --draws 20 --chains 2 --format csv --quiet ";
};

}  // namespace gadwall::app
