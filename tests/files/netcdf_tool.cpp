// For the tests with other programs: `netcdf_tool write FILE` writes a file whose numbers they
// know, `netcdf_tool write_labelled FILE_300.nc` one with 300 names, `netcdf_tool write_long FILE`
// one with long names, `netcdf_tool read FILE` prints the name and the mean of every parameter.
#include <fmt/format.h>

#include <numeric>
#include <string_view>

#include "files/netcdf_file.hpp"

namespace {

using namespace gadwall;
using namespace gadwall::files;

constexpr Index kDraws = 700;

/// Parameter j of draw r of chain c is 1000 c + r + j / 8; every statistic is r, divergent r % 2.
void write(const std::string& path) {
  NetcdfSchema schema;
  schema.names = {"sigma", "x.1",   "x.2", "x.3",       "m.1.1",    "m.2.1",
                  "m.1.2", "m.2.2", "a/b", "log_lik.1", "log_lik.2"};
  schema.facts.groups = {{"log_lik", "log_likelihood"}};
  schema.facts.sampler = "gadmala";
  schema.facts.chains = 2;
  schema.facts.draws = kDraws;
  schema.facts.warmup = 100;
  schema.save_warmup = true;
  schema.data.constant = {{"X", {2, 3}, {1, 2, 3, 4, 5, 6}}, {"N", {}, {2}}};
  schema.data.observed = {{"y", {2}, {0, 1}}};
  NetcdfWriter writer(path, schema, true);
  const auto dim = static_cast<Index>(schema.names.size());
  for (Index c = 0; c < 2; ++c) {
    std::vector<double> row(static_cast<std::size_t>(dim));
    for (Index r = 0; r < kDraws; ++r) {
      const auto number = static_cast<double>(r);
      for (Index j = 0; j < dim; ++j) {
        row[static_cast<std::size_t>(j)] =
            1000 * static_cast<double>(c) + number + static_cast<double>(j) / 8;
      }
      const double statistics[] = {
          number, number, number, number, number, static_cast<double>(r % 2), number};
      if (r < 100) writer.append(Phase::warmup, c, {row.data(), statistics, 1});
      writer.append(Phase::sampling, c, {row.data(), statistics, 1});
    }
  }
  schema.facts.seconds = {1, 2};
  StageFacts warmup{.name = "warm-up", .iterations = 100, .gradients = 200};
  warmup.notes = {{"chosen", "größer"}, {"efficiency", 0.25}};
  StageFacts draws{.name = "draws", .begin = 100, .iterations = kDraws, .gradients = 1400};
  schema.facts.stages = {warmup, draws};
  writer.finish(schema.facts, {Learnt{Tuning(Factor::diagonal(Vector::Ones(dim)), 0.5), {}}});
}

/// One draw, 0, 1, ..., of one chain.
void write_one_draw(const std::string& path, NetcdfSchema schema) {
  schema.facts.chains = 1;
  NetcdfWriter writer(path, schema, true);
  std::vector<double> row(schema.names.size());
  std::iota(row.begin(), row.end(), 0);
  const double statistics[7] = {};
  writer.append(Phase::sampling, 0, {row.data(), statistics, 1});
  writer.finish(schema.facts, {});
}

/// Names as one array labelled by them; the name of the file says how many.
void write_labelled(const std::string& path) {
  const Index count = std::stoi(path.substr(path.rfind('_') + 1));
  NetcdfSchema schema;
  for (Index j = 0; j < count; ++j) schema.names.push_back("column " + std::to_string(j));
  if (count <= 256) schema.data.values = {"beta", "feature"};
  write_one_draw(path, schema);
}

/// Names of 256 to 302 bytes, two of which differ at the end alone.
void write_long(const std::string& path) {
  std::string accents;
  for (int i = 0; i < 150; ++i) accents += "\u00e9";
  NetcdfSchema schema;
  schema.names = {std::string(256, 'a'), std::string(300, 'b'), std::string(299, 'b') + 'c',
                  accents + ".1", accents + ".2"};
  write_one_draw(path, schema);
}

void print(const std::string& path) {
  const ReadResult result = read_netcdf(path);
  for (Index j = 0; j < result.draws.dim(); ++j) {
    fmt::print("{} {:.17g}\n", result.draws.names[static_cast<std::size_t>(j)],
               result.draws.parameter(j).mean());
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const std::string_view what = arguments[1];
  if (what == "write") {
    write(arguments[2]);
  } else if (what == "write_labelled") {
    write_labelled(arguments[2]);
  } else if (what == "write_long") {
    write_long(arguments[2]);
  } else if (what == "read") {
    print(arguments[2]);
  } else {
    return 2;
  }
  return 0;
}
