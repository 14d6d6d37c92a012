// Any bytes as a checkpoint. Where the first byte is odd the rest is given a right checksum, so
// that what is behind it is reached: header and state, as long as the second byte says.
#include <fmt/format.h>
#include <zlib.h>

#include "files/checkpoint.hpp"
#include "fuzzing.hpp"
#include "gadwall/archive.hpp"

namespace {

std::string with_checksum(const std::string& text, std::size_t header) {
  const std::string body = fmt::format("{:08x}\n", std::min(header, text.size())) + text;
  const auto sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size());
  return fmt::format("gadwall checkpoint 4\n{}{:08x}\n", body, sum);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace gadwall;
  if (size < 2) return 0;
  std::string text(bytes + 2, bytes + size);
  if (bytes[0] % 2 == 1) text = with_checksum(text, 2 * std::size_t{bytes[1]});
  const std::string path = fuzz::path_with(reinterpret_cast<const std::uint8_t*>(text.data()),
                                           text.size(), ".checkpoint");
  fuzz::expect_sound_or_refused([&] {
    const std::string run = path.substr(0, path.rfind('.'));
    const auto found = files::read_checkpoint(run);
    fuzz::require(found.checkpoint.rows.draws >= 0);
    fuzz::require(files::checkpoint_header(run).has_value());
  });
  fuzz::expect_sound_or_refused([&] {
    Archive archive(std::string(bytes + 2, bytes + size));
    Matrix matrix;
    archive("m", matrix);
    std::vector<std::string> texts;
    archive("t", texts);
  });
  return 0;
}
