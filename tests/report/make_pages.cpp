// make_pages FOLDER: the pages that the browser test opens.
#include <fstream>
#include <iostream>

#include "gadwall/report.hpp"
#include "report/made_runs.hpp"
#include "report/plots.hpp"
#include "reproduce/reproduction.hpp"

namespace {

using namespace gadwall;

void write(const std::string& path, const std::vector<report::ReportedRun>& runs) {
  std::ofstream file(path, std::ios::binary);
  file << report::report_page(runs);
  file.close();
  if (!file) throw RunError(path + " cannot be written");
}

/// Five parameters with names that try to break out of the page, one divergent draw a chain.
Draws hostile() {
  Draws run = testing::sampled("banana", "nuts", 300, 400);
  run.names.assign(std::begin(testing::kHostileNames), std::end(testing::kHostileNames));
  for (Chain& chain : run.chains) {
    const Matrix two = chain.draws;
    chain.draws.resize(two.rows(), run.dim());
    for (Index j = 0; j < run.dim(); ++j) chain.draws.col(j) = two.col(j % 2);
    const Index divergent = find_statistic(run.statistics, "divergent");
    chain.statistics.col(divergent).setZero();
    chain.statistics(5, divergent) = 1;
  }
  run.facts.divergences = run.chains.size();
  run.facts.target = "<b>target</b>";
  run.facts.command = "echo '<script>window.hacked = 3</script>'";
  run.learnt.clear();
  return run;
}

/// Plots that other pages draw with the same functions: contours of a Gaussian, a 28 x 28 image.
report::Json gallery() {
  constexpr int kSize = 28;
  report::Json values = report::Json::array();
  for (int i = 0; i < kSize * kSize; ++i) {
    const double x = (i % kSize - 13.5) / 5, y = (i / kSize - 13.5) / 5;
    values.push_back(std::exp(-(x * x + y * y) / 2));
  }
  const report::Json grid = {{{"width", kSize}, {"height", kSize}, {"values", values}}};
  const report::Json contour =
      report::with_signal(report::contour_plot({"a", "b"}), "levels", {0.1, 0.5, 0.9});
  return {
      {"contour", report::with_data(contour, "grid", grid)},
      {"image", report::with_data(report::heat_map(report::Colours::sequential), "grid", grid)}};
}

class Silence final : public app::reproduce::ReproductionObserver {
 public:
  void begins(const app::reproduce::RepeatPlan&, Monitor&) override {}
  void ends(const app::reproduce::RepeatPlan&,
            const std::optional<app::reproduce::Repeat>&) override {}
  bool is_stopped() const override { return false; }
};

/// The figures of the paper that need no data, shortened.
void reproduce_figures(const std::string& folder) {
  app::reproduce::ReproductionOptions options;
  options.subjects = {app::reproduce::find_subjects("figure1").front(),
                      app::reproduce::find_subjects("figure2").front()};
  options.out = folder + "/reproduction";
  options.scale = 0.05;
  options.scale_all = true;
  options.force = true;
  Silence silence;
  app::reproduce::Reproduction reproduction(options);
  reproduction.run(silence);
  reproduction.write();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  try {
    std::ofstream(folder + "/gallery.json") << gallery();
    reproduce_figures(folder);
    const Draws gadmala = testing::sampled("gp51", "gadmala", 20000, 20000);
    const Draws nuts = testing::sampled("gp51", "nuts", 500, 500);
    const Draws neal = testing::sampled("neal100", "gadmala", 20000, 20000);
    const Draws funnel = testing::sampled("funnel", "auto", 1000, 250);
    const Draws names = hostile();
    write(folder + "/learnt.html", {{"gp51-gadmala", &gadmala}});
    write(folder + "/large.html", {{"neal100-gadmala", &neal}});
    write(folder + "/compared.html", {{"gp51-gadmala", &gadmala}, {"gp51-nuts", &nuts}});
    const Draws short_gp51 = testing::sampled("gp51", "mala", 100, 60);
    const Draws short_neal = testing::sampled("neal100", "mala", 100, 60);
    write(folder + "/unlike.html", {{"gp51-mala", &short_gp51}, {"neal100-mala", &short_neal}});
    write(folder + "/funnel.html", {{"funnel", &funnel}});
    write(folder + "/hostile.html", {{"</title><script>window.hacked = 4</script>", &names}});
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
