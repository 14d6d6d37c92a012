#include <gadwall/gadwall.hpp>
#include <iostream>

int main() {
  const auto result = gadwall::sample(
      [](auto x, auto grad) {
        grad = -x;
        return -0.5 * x.squaredNorm();
      },
      3);
  std::cout << gadwall::to_text(result.summary);
  return result.summary.rhat_max < 1.01 ? 0 : 1;
}
