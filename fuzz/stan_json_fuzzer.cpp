// Any bytes as Stan's JSON: the data of a program, and the values of --init.
#include "fuzzing.hpp"
#include "stan/bridge/json_data.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace gadwall;
  const std::string text(bytes, bytes + size);
  try {
    for (const auto& [name, variable] : gadwall_stan::JsonReader(text).read()) {
      fuzz::require(gadwall_stan::element_names(name, variable).size() == variable.values.size());
    }
  } catch (const std::runtime_error& error) {
    fuzz::require(std::string(error.what()).starts_with("JSON, line "));
  }
  return 0;
}
