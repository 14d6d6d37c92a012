#include "gadwall/program.hpp"

int main(int argc, char** argv) {
  return gadwall::run_program(argc, argv);
}
