// Any bytes as a Stan CSV file.
#include "files/stan_csv.hpp"
#include "fuzzing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace gadwall;
  const std::string path = fuzz::path_with(bytes, size, "_1.csv");
  fuzz::expect_sound_or_refused([&] {
    const Draws draws = files::read_stan_csv({path}).draws;
    fuzz::require(draws.chains.size() == 1);
  });
  return 0;
}
