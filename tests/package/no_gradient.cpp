// What a user gets wrong first: neither a gradient nor optimisation.
#include <gadwall/gadwall.hpp>

int main() {
  gadwall::sample([](auto x) { return -0.5 * x.squaredNorm(); }, 3);
}
