// Any bytes as a table. The first byte chooses the options; the rest is the text.
#include <set>

#include "files/table.hpp"
#include "fuzzing.hpp"
#include "targets/logistic/classification_data.hpp"

namespace {

using namespace gadwall;
using fuzz::require;

ClassificationOptions options_from(unsigned choice) {
  ClassificationOptions options;
  options.header = static_cast<files::HeaderLine>(choice % 3);
  if ((choice & 4U) != 0) options.scale = 255;
  if ((choice & 8U) != 0) options.bias = false;
  if ((choice & 16U) != 0) options.constant_columns = ClassificationOptions::refuse;
  if ((choice & 32U) != 0) options.label = (choice & 64U) != 0 ? "1" : "class";
  if ((choice & 128U) != 0) options.standardise = false;
  return options;
}

void require_sound(const ClassificationData& data) {
  require(data.x.rows() >= 2 && data.x.cols() >= 1 && data.x.rows() == data.y.size());
  require(data.x.allFinite());
  require(((data.y.array() == 0) || (data.y.array() == 1)).all());
  require(data.y.minCoeff() == 0 && data.y.maxCoeff() == 1 && data.class0 != data.class1);
  const std::set<std::string> names(data.names.begin(), data.names.end());
  require(static_cast<Index>(names.size()) == data.x.cols());
  for (const std::string& name : names) {
    require(!name.empty() && name.find_first_of(", \"\t\r\n") == std::string::npos);
  }
  for (const std::string& warning : data.warnings) fuzz::require_one_line(warning);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const ClassificationOptions options = options_from(bytes[0]);
  const std::string text(bytes + 1, bytes + size);
  fuzz::expect_sound_or_refused([&] {
    const files::Table table = files::parse_table(text, "fuzz", {options.header});
    require(table.rows() >= 1 && table.columns() >= 1 && table.line(0) >= 1);
    require_sound(make_classification(table, options));
  });
  return 0;
}
