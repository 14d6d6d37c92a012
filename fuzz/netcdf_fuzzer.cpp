// Any bytes as a NetCDF draws file. What reads it for everybody is a process of its own, which may
// crash; here it is done in this one first, where the sanitizers see all of it: a crash inside HDF5
// (scripts/fuzz tells it by its name) is what that process is for, any other is an error of ours.
#include "files/netcdf_stream.hpp"
#include "files/netcdf_wire.hpp"
#include "fuzzing.hpp"
#include "gadwall/summary.hpp"

namespace {

using namespace gadwall;

/// As it would come from the other process.
template <class T>
T sent(const T& value) {
  return files::from_bytes<T>(files::to_bytes(value));
}

void read_here(const std::string& path) {
  const files::Hdf5Session session;
  files::NetcdfSource source(path);
  sent(source.head());
  sent(source.learnt());
  sent(source.chain_costs());
  sent(source.data());
  const files::NetcdfVariables variables = sent(source.variables(files::Phase::sampling));
  files::NetcdfRange range;
  for (const files::VariableLayout& variable : variables.values) {
    range.count = static_cast<Index>(variables.shape.draws);
    const auto rows = source.rows(range);
    fuzz::require(rows.size() == static_cast<Index>(range.count * variable.size()));
    ++range.variable;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string path = fuzz::path_with(bytes, size, ".nc");
  fuzz::expect_sound_or_refused([&] { read_here(path); });
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
