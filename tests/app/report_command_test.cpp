// gadwall report: from files alone to one page.
#include "app/program.hpp"

namespace gadwall::app {
namespace {

class ReportCommand : public ProgramTest {
 protected:
  void sample(const std::string& name, const std::string& sampler = "gadmala",
              const std::string& format = "") const {
    const Outcome outcome =
        run("sample gaussian2d --sampler " + sampler +
            " --quiet --chains 3 --warmup 200 --draws 100 --out " + name + " " + format);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
};

TEST_F(ReportCommand, WritesAPageNamedAfterTheRun) {
  sample("run");
  const Outcome outcome = run("report run");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "report: run.html\n");
  const std::string page = read("run.html");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  expect_contains(page, "<title>run</title>");
  expect_contains(page, R"("target":"gaussian2d")");
  expect_contains(page, "gadwall sample gaussian2d --sampler gadmala");  // the command to repeat it
}

TEST_F(ReportCommand, SaysWhatTakesLong) {
  EXPECT_EQ(
      run("sample gaussian2d --sampler mala --quiet --warmup 10 --draws 130000 --out run").code, 0);
  EXPECT_EQ(run("summary run").code, 0);  // the numbers are kept, the pictures are to be made
  const Outcome outcome = run("report run");
  EXPECT_EQ(outcome.out, "report: run.html\n");
  EXPECT_EQ(outcome.err, "gadwall: drawing 1,040,000 values ...\n");
}

TEST_F(ReportCommand, TakesTheFilesOfARunAndAName) {
  sample("run", "gadmala", "--format csv");
  std::filesystem::remove(path("run.nc"));
  EXPECT_EQ(run("report run_1.csv run_2.csv run_3.csv -o page.html").code, 0);
  EXPECT_EQ(run("report run --out other.html").code, 0);
  EXPECT_EQ(read("page.html"), read("other.html"));
}

TEST_F(ReportCommand, ComparesSeveralRuns) {
  sample("a");
  sample("b", "nuts");
  EXPECT_EQ(run("report a b").out, "report: comparison.html\n");
  expect_contains(read("comparison.html"), R"("comparison":[{)");
}

TEST_F(ReportCommand, DoesNotOverwriteAPageUnlessForced) {
  sample("run");
  write("run.html", "mine");
  expect_refusal(run("report run"), {"run.html", "exists", "--force"});
  EXPECT_EQ(read("run.html"), "mine");
  EXPECT_EQ(run("report run --force").code, 0);
  EXPECT_TRUE(read("run.html").starts_with("<!DOCTYPE html>"));
}

TEST_F(ReportCommand, RefusesWhatIsNotThere) {
  expect_refusal(run("report missing"), {"missing", "no such file"});
  sample("run");
  expect_refusal(run("report run -o no/such/folder/page.html"),
                 {"no/such/folder/page.html", "there is no directory 'no/such/folder'"});
  expect_refusal(run({"report", "run", "-o", ""}), {"--out", "''"});
}

}  // namespace
}  // namespace gadwall::app
