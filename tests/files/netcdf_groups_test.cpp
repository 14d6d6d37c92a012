// Values in groups of their own, and values that are one array labelled by their names.
#include <gtest/gtest.h>

#include "files/netcdf_parts.hpp"
#include "files/netcdf_stream.hpp"
#include "files/netcdf_testing.hpp"

namespace gadwall::files {
namespace {

const std::vector<std::string> kNames = {"mu",      "log_lik.1", "log_lik.2", "extra",
                                         "y_rep.1", "y_rep.2",   "last"};
const std::map<std::string, std::string> kGroups = {{"log_lik", "log_likelihood"},
                                                    {"y_rep", "posterior_predictive"}};

/// Written up to the 20th row, and gone on with from the 15th.
TestChain write_interrupted(const std::string& path, NetcdfSchema schema) {
  schema.save_warmup = true;
  const TestChain chain = make_chain(static_cast<Index>(schema.names.size()), 30, 1);
  {
    NetcdfWriter writer(path, schema, true);
    writer.append(Phase::warmup, 0, chain.block(0, 5));
    writer.append(Phase::sampling, 0, chain.block(0, 20));
    writer.flush();
  }
  NetcdfWriter writer = NetcdfWriter::reopen(path, 5, 15);
  writer.append(Phase::sampling, 0, chain.block(15, 15));
  writer.finish({}, {});
  return chain;
}

TEST(NetcdfGroups, GiveTheValuesBackInTheOrderOfTheRun) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  NetcdfSchema schema = make_schema(kNames, 1);
  schema.facts.groups = kGroups;
  const TestChain chain = write_interrupted(path, schema);
  const Draws draws = read_netcdf(path).draws;
  EXPECT_EQ(draws.names, kNames);
  EXPECT_EQ(draws.facts.groups, kGroups);
  EXPECT_TRUE(same_draws(draws.chains[0], chain, 0, 30));
  const NetcdfStream stream(path);
  EXPECT_EQ(stream.names(), kNames);
  EXPECT_EQ(stream.facts().groups, kGroups);
  Index warmup = 0;
  stream.read(Phase::warmup, 0, [&](const ChainBlock& block) {
    for (Index r = 0; r < block.count; ++r, ++warmup) {
      EXPECT_EQ(block.values(4, r), chain.values[static_cast<std::size_t>(warmup * 7 + 4)]);
    }
  });
  EXPECT_EQ(warmup, 5);
}

TEST(NetcdfGroups, AreThoseOfInferenceData) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  NetcdfSchema schema = make_schema(kNames, 1);
  schema.facts.groups = kGroups;
  write_interrupted(path, schema);
  const Hdf5Session session;
  const Hdf5Id root = open_netcdf(path);
  for (const char* variable :
       {"posterior/mu", "posterior/extra", "log_likelihood/log_lik", "log_likelihood/draw",
        "posterior_predictive/y_rep", "warmup_posterior_predictive/y_rep"}) {
    EXPECT_TRUE(has_link(root, variable)) << variable;
  }
  EXPECT_FALSE(has_link(root, "posterior/y_rep"));
}

TEST(NetcdfGroups, OfOthersAreNotValues) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  NetcdfSchema schema = make_schema(kNames, 1);
  schema.facts.groups = kGroups;
  write_interrupted(path, schema);
  {  // as ArviZ would write it
    const Hdf5Session session;
    const Hdf5Id root(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), path);
    const Hdf5Id variable = open_dataset(root, "log_likelihood/log_lik");
    require(H5Adelete(variable, "gadwall_place"), "the place");
  }
  const Draws draws = read_netcdf(path).draws;
  EXPECT_EQ(draws.dim(), 5);
  EXPECT_EQ(draws.facts.groups,
            (std::map<std::string, std::string>{{"y_rep", "posterior_predictive"}}));
}

TEST(LabelledNetcdfArray, KeepsTheNamesOfItsElements) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("run.nc");
  const std::vector<std::string> names = {"age", "income", "x.1", "feature", "chain", "bias"};
  NetcdfSchema schema = make_schema(names, 1);
  schema.data.values = {"beta", "feature"};
  const TestChain chain = write_interrupted(path, schema);
  const Draws draws = read_netcdf(path).draws;
  EXPECT_EQ(draws.names, names);
  EXPECT_TRUE(same_draws(draws.chains[0], chain, 0, 30));
  const Hdf5Session session;
  const Hdf5Id root = open_netcdf(path);
  const Hdf5Id beta = open_dataset(root, "posterior/beta");
  EXPECT_EQ(extents(beta), (std::vector<hsize_t>{1, 30, 6}));
  EXPECT_TRUE(has_link(root, "posterior/feature"));
}

}  // namespace
}  // namespace gadwall::files
