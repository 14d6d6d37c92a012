/* By pkg-config: prints the version of the library that it runs with. */
#include <stdio.h>

#include <gadwall/gadwall.h>

int main(void) {
  puts(gadwall_version());
  return 0;
}
