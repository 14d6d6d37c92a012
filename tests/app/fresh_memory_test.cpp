// What was never written is never kept: the C library fills the memory that it gives with a
// pattern, and the pattern is in no checkpoint and changes no draw.
#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "app/program.hpp"

namespace gadwall::app {
namespace {

class FreshMemory : public ProgramTest {
 protected:
  /// Memory that is given is filled with ~pattern, memory that is freed with pattern.
  Outcome run_with(int pattern, const std::string& line) const {
    setenv("GLIBC_TUNABLES", fmt::format("glibc.malloc.perturb={}", pattern).c_str(), 1);
    Outcome outcome = run(line);
    unsetenv("GLIBC_TUNABLES");
    return outcome;
  }

  /// The rows of both chains.
  std::string rows(const std::string& name) const {
    EXPECT_EQ(run("export " + name).code, 0);
    std::istringstream files(read(name + "_1.csv") + read(name + "_2.csv"));
    std::string result;
    for (std::string line; std::getline(files, line);) {
      if (!line.starts_with('#')) result += line + '\n';
    }
    return result;
  }
};

TEST_F(FreshMemory, ReachesNoCheckpointAndNoDraw) {
  for (const std::string sampler : {"auto", "gadmala", "gadrwm", "nuts", "am", "gadhmc"}) {
    SCOPED_TRACE(sampler);
    const std::string line =
        "sample funnel --dim 5 --chains 2 --warmup 40 --draws 30 --quiet --sampler " + sampler;
    for (const int pattern : {90, 165}) {  // of bits that are the other way round
      const std::string name = fmt::format("{}-{}", sampler, pattern);
      ASSERT_EQ(run_with(pattern, line + " --out " + name).code, 0);
      const std::string bytes = read(name + ".checkpoint");
      ASSERT_GT(bytes.size(), 1000U);
      for (const int fill : {90, 165}) {
        EXPECT_EQ(bytes.find(std::string(8, static_cast<char>(fill))), bytes.npos);
      }
    }
    EXPECT_EQ(rows(sampler + "-90"), rows(sampler + "-165"));
  }
}

}  // namespace
}  // namespace gadwall::app
