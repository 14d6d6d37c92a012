// The program of packages: ld.so finds the library for this processor.
#include "packaged/library.hpp"

int main(int argc, char** argv) {
  return gadwall_main(argc, argv);
}
