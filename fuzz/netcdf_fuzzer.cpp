// Any bytes as a NetCDF draws file: read whole, and block after block.
#include "files/netcdf_stream.hpp"
#include "fuzzing.hpp"
#include "gadwall/summary.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace gadwall;
  const std::string path = fuzz::path_with(bytes, size, ".nc");
  fuzz::expect_sound_or_refused([&] {
    const Draws draws = files::read_netcdf(path).draws;
    fuzz::require(draws.dim() > 0 && draws.draws() > 0);
    judge(draws, summarise(draws));
  });
  fuzz::expect_sound_or_refused([&] {
    const files::NetcdfStream stream(path);
    for (Index c = 0; c < stream.chains(); ++c) {
      stream.read(files::Phase::sampling, c, [](const files::ChainBlock&) {});
    }
  });
  return 0;
}
