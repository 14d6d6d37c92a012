// libgadwall_main.so: the program of packages but for main(), in one version per kind of processor.
#include "packaged/library.hpp"
#include "gadwall/program.hpp"

int gadwall_main(int argc, char** argv) {
  return gadwall::run_program(argc, argv);
}
