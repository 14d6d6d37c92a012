// Any bytes as a matrix, and as a vector.
#include "files/matrix_file.hpp"
#include "fuzzing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace gadwall;
  const std::string text(bytes, bytes + size);
  fuzz::expect_sound_or_refused([&] {
    const Matrix matrix = files::parse_matrix(text, "fuzz");
    fuzz::require(matrix.rows() >= 1 && matrix.cols() >= 1 && matrix.allFinite());
  });
  fuzz::expect_sound_or_refused(
      [&] { fuzz::require(files::parse_vector(text, "fuzz").allFinite()); });
  return 0;
}
