// Any lines as the names of a run: the variables of its NetCDF file have legal, different names and
// give the same names back.
#include <set>
#include <sstream>

#include "files/netcdf_layout.hpp"
#include "fuzzing.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace gadwall;
  std::istringstream lines(std::string(bytes, bytes + size));
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) names.push_back(line);
  std::vector<std::string> again;
  std::set<std::string> taken = {"chain", "draw"};
  for (const files::VariableLayout& variable : files::group_names(names)) {
    fuzz::require(taken.insert(variable.name).second && variable.name.size() < 250);
    fuzz::require(variable.name.find('/') == std::string::npos);
    for (const std::string& name : files::element_names(variable)) again.push_back(name);
  }
  fuzz::require(again == names);
  return 0;
}
