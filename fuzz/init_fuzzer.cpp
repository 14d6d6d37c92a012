// Any bytes as a file of --init, of a target whose parameters have names with and without indices.
#include "fuzzing.hpp"
#include "gadwall/target.hpp"
#include "session/warm_start.hpp"

namespace {

class Named final : public gadwall::Target {
 public:
  gadwall::Index dim() const override { return 3; }
  std::vector<std::string> names() const override { return {"mu", "theta.1", "theta.2"}; }
  void evaluate(gadwall::ConstMatrixRef x, gadwall::VectorRef logp,
                gadwall::MatrixRef grad) const override {
    logp = -0.5 * x.colwise().squaredNorm().transpose();
    grad = -x;
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace gadwall;
  const std::string path = fuzz::path_with(bytes, size, ".json");
  RunOptions run;
  run.chains = 1;
  fuzz::expect_sound_or_refused([&] { session::read_start(path, Named(), run); });
  return 0;
}
