// What a user can get wrong: exit code 2, one line that names it, and nothing is written.
#include "app/program.hpp"
#include "app/table.hpp"

namespace gadwall::app {
namespace {

class BadInput : public ProgramTest {
 protected:
  /// Arguments and what the message must hold.
  using Cases = std::vector<std::pair<std::string, Words>>;

  void refuse_all(const std::string& before, const Cases& cases) const {
    const Words there = files();
    for (const auto& [arguments, parts] : cases) {
      SCOPED_TRACE(before + arguments);
      expect_refusal(run(before + arguments), parts);
      EXPECT_EQ(files(), there);
    }
  }
};

TEST_F(BadInput, OnTheCommandLine) {
  refuse_all(
      "",
      {{"",
        {"command", "sample, resume, summary, diagnose, report, export, merge, slurm, compile, reproduce, list"}},
       {"smaple neal100", {"'smaple'", "did you mean 'sample'?"}},
       {"--json", {"unknown option --json"}},
       {"sample", {"TARGET is required", "gadwall sample --help"}},
       {"sample --format csv --checkpoint 0 neal100 gp51", {"'gp51' was not expected"}},
       {"sample --format csv --checkpoint 0 gausian2d",
        {"target 'gausian2d'", "did you mean 'gaussian2d'?"}},
       {"sample --format csv --checkpoint 0 what", {"target 'what'", "there are: gaussian2d"}},
       {"sample --format csv --checkpoint 0 neal100 --sampler gadmla",
        {"'gadmla'", "did you mean 'gadmala'?"}},
       {"sample --format csv --checkpoint 0 neal100 --smapler nuts",
        {"--smapler", "did you mean '--sampler'?"}},
       {"sample --format csv --checkpoint 0 neal100 --draws", {"--draws needs a value"}},
       {"sample --format csv --checkpoint 0 neal100 --draws 5 --draws 6",
        {"--draws is given more than once"}},
       {"summary", {"FILE is required", "gadwall summary --help"}},
       {"summary a --rows -1", {"--rows is '-1'", "whole number"}},
       {"diagnose", {"FILE is required"}},
       {"list everything", {"everything", "samplers or targets"}}});
}

TEST_F(BadInput, InCountsOfARun) {
  refuse_all("sample --format csv --checkpoint 0 gaussian2d ",
             {{"--draws -1", {"--draws is '-1'", "from 1 to"}},
              {"--draws 0", {"--draws is '0'", "from 1 to"}},
              {"--draws 1.5", {"--draws is '1.5'", "whole number"}},
              {"--draws ten", {"--draws is 'ten'", "whole number"}},
              {"--draws 0x10", {"--draws is '0x10'", "whole number"}},
              {"--draws 99999999999999999999", {"--draws is '99999999999999999999'", "to 1000"}},
              {"--draws 1e300", {"--draws is '1e300'"}},
              {"--draws nan", {"--draws is 'nan'"}},
              {"--warmup -5", {"--warmup is '-5'", "from 0 to"}},
              {"--chains 0", {"--chains is '0'", "from 1 to"}},
              {"--chains 4000000000", {"--chains is '4000000000'"}},
              {"--threads 0", {"--threads is '0'", "from 1 to"}},
              {"--lanes 0", {"--lanes is '0'", "from 1 to"}},
              {"--lanes 3 --chains 4", {"--lanes is 3", "divides the 4 chains"}},
              {"--lanes 8 --chains 4", {"--lanes is 8", "divides the 4 chains"}},
              {"--seed -1", {"--seed is '-1'", "from 0 to 18446744073709551615"}},
              {"--seed 18446744073709551616", {"--seed is '18446744073709551616'"}},
              {"--start normal:0", {"--start is 'normal:0'", "above 0"}},
              {"--start normal:inf", {"--start is 'normal:inf'", "above 0"}}});
}

TEST_F(BadInput, InNumbersOfTheSampler) {
  refuse_all("sample --format csv --checkpoint 0 gaussian2d ",
             {{"--leapfrog 4", {"--leapfrog", "not an option of auto", "hmc"}}});
  refuse_all("sample --format csv --checkpoint 0 gaussian2d --sampler ",
             {{"gadmala --learning-rate abc", {"--learning-rate is 'abc'", "number"}},
              {"gadmala --learning-rate 1e400", {"--learning-rate is '1e400'", "number"}},
              {"gadmala --learning-rate -1", {"--learning-rate is -1", "at least 0"}},
              {"gadmala --target-accept 1.5", {"--target-accept is 1.5", "above 0 and below 1"}},
              {"gadmala --target-accept nan", {"--target-accept is nan", "above 0 and below 1"}},
              {"hmc --leapfrog 2.5", {"--leapfrog is '2.5'", "whole number"}},
              {"hmc --leapfrog 0", {"--leapfrog is 0", "at least 1 and at most 1000000"}},
              {"hmc --leapfrog 1e300", {"--leapfrog is '1e300'"}},
              {"gadmala --metric round", {"--metric is 'round'", "diag or dense"}},
              {"gadmala --metric unit", {"--metric is 'unit'", "diag or dense"}},
              {"rwm --metric dense", {"--metric", "not an option of rwm", "nuts"}}});
}

TEST_F(BadInput, InOptionsOfTargets) {
  write("table.csv", table());
  refuse_all("sample --format csv --checkpoint 0 ",
             {{"neal100 --data table.csv", {"--data", "target neal100", "logistic"}},
              {"neal100 --no-bias", {"--bias", "target neal100", "logistic"}},
              {"logistic --data table.csv --dim 3", {"--dim", "target logistic", "banana, funnel"}},
              {"banana --dim 1", {"--dim is '1'", "from 2 to"}},
              {"funnel --dim -1", {"--dim is '-1'", "from 2 to"}},
              {"funnel --dim 100000000000", {"--dim is '100000000000'"}},
              {"banana --curvature nan", {"--curvature is 'nan'", "finite"}},
              {"logistic", {"logistic needs a table: --data FILE"}},
              {"logistic --data table.csv --prior-sd 0", {"--prior-sd is '0'", "above 0"}},
              {"logistic --data table.csv --prior-sd -2", {"--prior-sd is '-2'", "above 0"}},
              {"logistic --data table.csv --scale -1", {"--scale is '-1'", "above 0"}},
              {"logistic --data table.csv --scale 0", {"--scale is '0'", "above 0"}},
              {"logistic --data table.csv --header maybe", {"--header is 'maybe'", "auto, yes"}},
              {"logistic --data table.csv --constant-columns x", {"--constant-columns", "refuse"}},
              {"logistic --data table.csv --label z", {"table.csv", "'z'", "'size', 'age', 'y'"}},
              {"logistic --data table.csv --label 9", {"table.csv", "column 9", "1 to 3"}}});
}

TEST_F(BadInput, InTables) {
  write("ragged.csv", "a,b,y\n1,2,0\n1,2\n3,4,1\n");
  write("word.csv", "a,b,y\n1,2,0\n1,2,1\n3,low,1\n");
  write("nan.csv", "a,b,y\n1,2,0\n1,NaN,1\n3,4,1\n");
  write("gap.csv", "a,b,y\n1,2,0\n1,,1\n3,4,1\n");
  write("one_class.csv", "a,y\n1,0\n2,0\n3,0\n");
  write("three_classes.csv", "a,y\n1,0\n2,1\n3,2\n");
  write("constant.csv", "a,y\n7,0\n7,1\n7,1\n");
  write("header.csv", "a,b,y\n");
  write("empty.csv", "");
  write_gzip(path("cut.csv.gz").string(), table());
  std::filesystem::resize_file(path("cut.csv.gz"), 200);
  refuse_all("sample --format csv --checkpoint 0 logistic --data ",
             {{"none.csv", {"none.csv", "No such file"}},
              {".", {"'.' is a directory"}},
              {"ragged.csv", {"ragged.csv:3", "2 cells, expected 3"}},
              {"word.csv", {"word.csv:4", "'b'", "'low' is not a number"}},
              {"nan.csv", {"nan.csv:3", "'b'", "NaN"}},
              {"gap.csv", {"gap.csv:3", "'b'", "missing"}},
              {"one_class.csv", {"one_class.csv", "'y'", "1 value ('0'), expected 2"}},
              {"three_classes.csv", {"three_classes.csv", "3 values ('0', '1', '2'), expected 2"}},
              {"constant.csv", {"constant.csv", "no feature column left"}},
              {"header.csv", {"header.csv", "no rows"}},
              {"empty.csv", {"empty.csv", "empty"}},
              {"cut.csv.gz", {"cut.csv.gz", "cut short"}}});
}

TEST_F(BadInput, InMatrices) {
  write("good.txt", "1 0.5\n0.5 2\n");
  write("indefinite.txt", "1 2\n2 1\n");
  write("asymmetric.txt", "1 0.5\n0.4 2\n");
  write("wide.txt", "1 2 3\n2 1 3\n");
  write("nan.txt", "1 0\n0 nan\n");
  write("three.txt", "1 2 3\n");
  refuse_all("sample --format csv --checkpoint 0 gaussian ",
             {{"", {"gaussian needs --covariance FILE"}},
              {"--mean three.txt", {"gaussian needs --covariance FILE"}},
              {"--covariance none.txt", {"none.txt", "No such file"}},
              {"--covariance indefinite.txt", {"indefinite.txt", "not positive definite"}},
              {"--covariance asymmetric.txt", {"asymmetric.txt", "not symmetric", "0.4"}},
              {"--covariance wide.txt", {"wide.txt", "2 rows of 3 numbers"}},
              {"--covariance nan.txt", {"nan.txt:2", "column 2"}},
              {"--covariance good.txt --mean three.txt",
               {"three.txt", "3 numbers, expected 2", "good.txt is 2 x 2"}},
              {"--covariance good.txt --mean none.txt", {"none.txt", "No such file"}}});
}

TEST_F(BadInput, StaysOnOneLineWhateverItHolds) {
  expect_refusal(run(Words{"sample", "--format", "csv", "--checkpoint", "0", "two\nlines\033[31m"}),
                 {"unknown target"});
  expect_refusal(run(Words{"summary", "two\nlines"}), {"there is no such file"});
}

TEST_F(BadInput, WithoutAFiniteStartIsAFailedRun) {
  const Outcome outcome =
      run("sample --format csv --checkpoint 0 neal100 --start normal:1e200 --draws 10");
  expect_refusal(outcome, {"chain 1", "no finite log density in 100 starts", "1e+200"}, 1);
  EXPECT_EQ(files(), Words{});
}

}  // namespace
}  // namespace gadwall::app
