// Which values and data go to groups of their own: by their names, and as one says.
#include "run/file_groups.hpp"

#include <gtest/gtest.h>

#include "message_of.hpp"

namespace gadwall {
namespace {

/// Two parameters, three derived arrays, data.
class Program final : public Target {
 public:
  Index dim() const override { return 2; }
  std::vector<std::string> names() const override { return {"mu", "log_lik"}; }
  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override {
    logp = -x.colwise().squaredNorm().transpose() / 2;
    if (grad.size() > 0) grad = -x;
  }
  std::vector<std::string> output_names() const override {
    return {"mu", "log_lik", "log_likelihood.1", "log_likelihood.2", "extra", "y_rep.1"};
  }
  Index parameters() const override { return 2; }
  TargetData data() const override { return {{{"N", {}, {1}}, {"y", {1}, {2}}}, {}}; }
};

RunPlan plan(const std::optional<FileGroups>& groups, std::vector<Index> save = {}) {
  RunOptions run;
  run.groups = groups;
  run.save = std::move(save);
  return {std::make_shared<Program>(), find_sampler("hmc"), {}, run};
}

std::string refusal(const std::string& text) {
  return testing::message_of([&] { plan(file_groups_from_text(text)); });
}

TEST(FileGroups, ComeFromTheNamesOfWhatIsNoParameter) {
  EXPECT_EQ(plan({}).facts().groups,
            (FileGroups{{"log_likelihood", "log_likelihood"}, {"y_rep", "posterior_predictive"}}));
}

TEST(FileGroups, AreThoseOneSays) {
  const auto groups = file_groups_from_text("posterior_predictive=extra,observed_data=y");
  EXPECT_EQ(plan(groups).facts().groups, (FileGroups{{"extra", "posterior_predictive"}}));
  const TargetData data = plan(groups).data();
  ASSERT_EQ(data.observed.size(), 1U);
  EXPECT_EQ(data.observed[0].name, "y");
  ASSERT_EQ(data.constant.size(), 1U);
  EXPECT_EQ(data.constant[0].name, "N");
  EXPECT_TRUE(plan(file_groups_from_text("none")).facts().groups.empty());
}

TEST(FileGroups, LeaveSomethingForThePosterior) {
  EXPECT_TRUE(plan({}, {2, 3, 5}).facts().groups.empty());
  EXPECT_EQ(plan({}, {0, 5}).facts().groups, (FileGroups{{"y_rep", "posterior_predictive"}}));
}

TEST(FileGroups, AreRefusedWhereTheTargetHasNoSuchThing) {
  for (const char* text : {"posterior_predictive", "posterior=extra", "log_likelihood=", "x"}) {
    EXPECT_NE(refusal(text).find("expected GROUP=NAME"), std::string::npos) << text;
  }
  EXPECT_NE(refusal("log_likelihood=mu").find("no transformed or generated value 'mu', expected"),
            std::string::npos);
  EXPECT_NE(refusal("observed_data=z").find("no data 'z', expected N, y"), std::string::npos);
}

TEST(FileGroups, SayWhichValuesAreJudged) {
  const PlannedFacts facts = plan({}).facts();
  EXPECT_TRUE(facts.is_judged("log_lik"));
  EXPECT_TRUE(facts.is_judged("extra"));
  EXPECT_FALSE(facts.is_judged("log_likelihood.2"));
  EXPECT_EQ(file_groups_from_text(to_text(facts.groups)), facts.groups);
}

}  // namespace
}  // namespace gadwall
