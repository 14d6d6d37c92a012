// Any bytes as a file of --save-tuning.
#include "fuzzing.hpp"
#include "session/warm_start.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace gadwall;
  const std::string path = fuzz::path_with(bytes, size, ".json");
  fuzz::expect_sound_or_refused([&] {
    const session::WarmStart start = session::read_tuning(path);
    fuzz::require(start.tuning.step > 0 && start.tuning.factor().dim() >= 1);
  });
  return 0;
}
