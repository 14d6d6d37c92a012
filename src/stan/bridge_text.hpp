// The source files of our bridge to Stan's models, as text.
#pragma once

#include <string>
#include <vector>

namespace gadwall::stan {

struct BridgeFile {
  std::string name;
  std::string text;
};

const std::vector<BridgeFile>& bridge_files();

}  // namespace gadwall::stan
