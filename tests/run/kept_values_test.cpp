// Values of a draw that depend on the draws before it.
#include "run/kept_values.hpp"

#include <gtest/gtest.h>

#include "gadwall/sample.hpp"
#include "run/run_testing.hpp"

namespace gadwall {
namespace {

/// A normal that keeps the number of the draw in its chain, and how many values were wanted.
class Counting final : public Target {
 public:
  Index dim() const override { return 1; }
  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override {
    logp = -0.5 * x.row(0).transpose().array().square();
    if (grad.size() > 0) grad = -x;
  }
  std::vector<std::string> output_names() const override { return {"count", "wanted", "x"}; }
  std::unique_ptr<DrawMaker> draw_maker(std::span<const Index> wanted) const override {
    return std::make_unique<Counter>(static_cast<double>(wanted.size()));
  }

 private:
  class Counter final : public DrawMaker {
   public:
    explicit Counter(double wanted) : wanted_(wanted) {}
    void make(ConstVectorRef x, const NoiseKey&, VectorRef values) override {
      values << ++count_, wanted_, x[0];
    }
    void archive(Archive& a) override { a("count", count_); }

   private:
    double wanted_;
    double count_ = 0;
  };
};

SampleResult counted(Index lanes, std::vector<Index> save) {
  SampleOptions options{"gadmala", {{"scout", Index{20}}}, testing::short_run(4, 50, 10)};
  options.run.lanes = lanes;
  options.run.save = std::move(save);
  return sample(std::make_shared<Counting>(), options);
}

TEST(KeptValues, GoOnWithTheirChainWhateverBatchItIsIn) {
  for (const Index lanes : {1, 2, 4}) {
    const SampleResult result = counted(lanes, {});
    for (const Chain& chain : result.draws.chains) {
      EXPECT_EQ(chain.draws.col(0), Vector::LinSpaced(10, 1, 10)) << lanes;
    }
  }
}

TEST(KeptValues, AreToldWhichAreWanted) {
  EXPECT_EQ(counted(1, {}).draws.chains[0].draws(0, 1), 0);
  const SampleResult some = counted(1, {1, 2});
  EXPECT_EQ(some.draws.names, (std::vector<std::string>{"wanted", "x"}));
  EXPECT_EQ(some.draws.chains[0].draws(0, 0), 2);
}

}  // namespace
}  // namespace gadwall
