// libFuzzer target: any bytes as a table are either refused with a one-line UsageError or become a
// sound table and sound classification data. From the top of the repository, with clang 14:
//
//   clang++-14 -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined \
//     -fno-sanitize-recover=undefined -Iinclude -Isrc -isystem /usr/include/eigen3 \
//     fuzz/table_fuzzer.cpp src/io/{text_file,utf8,cell,nearest_name,table}.cpp \
//     src/targets/classification_data.cpp -lfmt -lz -o table_fuzzer
//   mkdir -p found && ./table_fuzzer -max_total_time=120 found fuzz/corpus/table
//
// The first byte chooses the options; the rest is the text.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "files/table.hpp"
#include "gadwall/error.hpp"
#include "targets/logistic/classification_data.hpp"

namespace {

void files::require(bool holds) {
  if (!holds) std::abort();
}

void require_one_line(const std::string& message) {
  files::require(!message.empty() && message.size() < 2000);
  files::require(std::none_of(message.begin(), message.end(),
                              [](char c) { return static_cast<unsigned char>(c) < 32; }));
}

gadwall::ClassificationOptions options_from(unsigned choice) {
  gadwall::ClassificationOptions options;
  options.header = static_cast<gadwall::Header>(choice % 3);
  if ((choice & 4U) != 0) options.scale = 255;
  if ((choice & 8U) != 0) options.bias = false;
  if ((choice & 16U) != 0) options.constant_columns = gadwall::ClassificationOptions::refuse;
  if ((choice & 32U) != 0) options.label = (choice & 64U) != 0 ? "1" : "class";
  if ((choice & 128U) != 0) options.standardise = false;
  return options;
}

void require_sound(const gadwall::ClassificationData& data) {
  files::require(data.x.rows() >= 2 && data.x.cols() >= 1 && data.x.rows() == data.y.size());
  files::require(data.x.allFinite());
  files::require(((data.y.array() == 0) || (data.y.array() == 1)).all());
  files::require(data.y.minCoeff() == 0 && data.y.maxCoeff() == 1 && data.class0 != data.class1);
  const std::set<std::string> names(data.names.begin(), data.names.end());
  files::require(static_cast<gadwall::Index>(names.size()) == data.x.cols());
  for (const std::string& name : names) {
    files::require(!name.empty() && name.find_first_of(", \"\t\r\n") == std::string::npos);
  }
  for (const std::string& warning : data.warnings) require_one_line(warning);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const gadwall::ClassificationOptions options = options_from(bytes[0]);
  const std::string text(bytes + 1, bytes + size);
  try {
    const gadwall::Table table = gadwall::parse_table(text, "fuzz", {options.header});
    files::require(table.rows() >= 1 && table.columns() >= 1 && table.line(0) >= 1);
    require_sound(gadwall::make_classification(table, options));
  } catch (const gadwall::UsageError& error) {
    require_one_line(error.what());
  }
  return 0;
}
