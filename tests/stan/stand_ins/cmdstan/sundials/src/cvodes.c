/* Cannot be part of a shared library unless it is compiled with -fPIC. */
#include "cvodes.h"

int cvode_table[4];

int* cvode(int i) {
  return &cvode_table[i];
}
