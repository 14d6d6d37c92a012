// Our bridge as text: what it defines. The tests with Stan compile and call it.
#include <gtest/gtest.h>

#include <regex>

#include "stan/bridge_symbols.hpp"
#include "stan/bridge_text.hpp"

namespace gadwall::stan {
namespace {

TEST(StanBridge, HasEveryFunctionOfBridgeStan) {
  std::string text;
  for (const BridgeFile& file : bridge_files()) text += file.text;
  for (const auto* functions : {&kBridgeFunctions, &kBridgeFunctionsForR}) {
    for (const std::string& name : *functions) {
      EXPECT_TRUE(
          std::regex_search(text, std::regex("GADWALL_EXPORT [\\w\\s*]*\\b" + name + "\\(")))
          << name;
    }
  }
  for (const char* name : {"major", "minor", "patch"}) {
    EXPECT_NE(text.find(std::string("GADWALL_EXPORT int bs_") + name + "_version;"), text.npos);
  }
}

}  // namespace
}  // namespace gadwall::stan
