// A run in files: sampled, stopped, resumed, read and exported for Stan's tools.
#include <filesystem>
#include <gadwall/gadwall.hpp>
#include <iostream>

namespace files = gadwall::files;

/// A banana: x2 given x1 is normal around x1^2.
double banana(gadwall::ConstVectorRef x, gadwall::VectorRef grad) {
  const double bend = x[1] - x[0] * x[0];
  grad[0] = -x[0] + 2 * x[0] * bend;
  grad[1] = -bend;
  return -0.5 * (x[0] * x[0] + bend * bend);
}

int main() {
  const auto directory = std::filesystem::temp_directory_path() / "gadwall-run-to-file";
  std::filesystem::create_directories(directory);

  gadwall::SampleOptions options;
  options.sampler = "nuts";
  options.run.draws = 500;
  files::FileOptions output;
  output.name = directory / "banana";
  output.target = "banana";
  output.overwrite = true;
  files::sample_to_file(banana, 2, options, output);

  // Later, in another process: 500 more draws of each chain. Had the first one been killed, the
  // same call would go on from its last checkpoint.
  options.run.draws = 1000;
  const files::FileResult run = files::resume(banana, 2, options, output);
  std::cout << gadwall::to_text(run.summary);

  const gadwall::Draws draws = files::read(run.name);
  std::cout << "mean of x.2 in the first chain: " << draws.chains[0].draws.col(1).mean() << "\n";
  for (const std::string& path : files::export_csv(run.name)) std::cout << path << "\n";

  const bool as_expected = draws.draws() == 1000 && run.facts.stopped_by == "draws";
  std::filesystem::remove_all(directory);
  return as_expected ? 0 : 1;
}
