// What a Stan program includes, whatever its lines look like.
#include "stan/program.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "files/netcdf_testing.hpp"

namespace gadwall::stan {
namespace {

TEST(StanProgram, ReadsLinesOfAnyLength) {
  const files::TemporaryDirectory directory;
  const std::string path = directory.file("m.stan");
  std::ofstream(path) << std::string(300'000, ' ') << "\n#include" << std::string(300'000, ' ')
                      << "\nparameters { real x; }\n";
  EXPECT_EQ(read_stan_program(path).files(), std::vector<std::string>{path});
}

TEST(StanProgram, KnowsEveryFormOfAnInclude) {
  const files::TemporaryDirectory directory;
  const std::string path = directory.file("m.stan");
  std::ofstream(path) << "#include a.stan\n  #include \"b.stan\" // why\n\t#include <c.stan>\r\n"
                         "// #include none.stan\n#includes\n";
  for (const char* name : {"a.stan", "b.stan", "c.stan"}) std::ofstream(directory.file(name)) << "";
  std::ofstream(directory.file("s")) << "";
  const auto files = read_stan_program(path).files();
  for (const char* name : {"a.stan", "b.stan", "c.stan"}) {
    EXPECT_EQ(std::ranges::count(files, directory.file(name)), 1) << name;
  }
  EXPECT_EQ(std::ranges::count(files, directory.file("none.stan")), 0);
}

}  // namespace
}  // namespace gadwall::stan
