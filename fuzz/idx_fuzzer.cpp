// Any bytes as an IDX file of one to three axes.
#include "files/idx_file.hpp"
#include "fuzzing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace gadwall;
  const std::string text(bytes, bytes + size);
  for (std::size_t axes = 1; axes <= 3; ++axes) {
    fuzz::expect_sound_or_refused([&] {
      const files::IdxBytes array = files::parse_idx(text, "fuzz", axes);
      std::size_t count = 1;
      for (const std::size_t length : array.shape) count *= length;
      fuzz::require(array.shape.size() == axes && count == array.bytes.size() && count > 0);
    });
  }
  return 0;
}
