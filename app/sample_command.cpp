// sample: arguments -> plan -> run -> files -> summary.
#include <memory>

#include "commands.hpp"
#include "launch.hpp"
#include "run_session.hpp"
#include "shared_session.hpp"

namespace gadwall::app {
namespace {

constexpr const char* kSampleFooter =
    R"(The draws go to OUT.nc, a NetCDF file that ArviZ, xarray and R open, while they are made; the
table that follows is made from it. With --format csv OUT_1.csv, OUT_2.csv, ..., one Stan CSV file
per chain, are made from it when the run ends, as gadwall export does at any time. A checkpoint
beside them lets gadwall resume go on after an interrupt, a kill or a power cut.
The same seed gives the same draws for any number of threads, and however often a run was resumed.
Begun by mpirun or srun, the processes share the run, on one machine or many, with the same draws.

Examples:
  gadwall sample neal100
  gadwall sample neal100 --sampler nuts --metric dense --chains 4 --seed 1
  gadwall sample neal100 --until ess=1000 --max-time 10m
  gadwall sample gp51 --learning-rate 1e-3 --warmup 200000
  gadwall sample logistic --data german.csv --label y --prior-sd 1 --out german
  gadwall sample schools.stan --data schools.json --sampler nuts
  gadwall sample logistic --data mnist.csv.gz --scale 255 --learning-rate 1e-5
  gadwall sample neal100 --chains 16 --lanes 16 --learning-rate 1.5e-3 --warmup 2000
  mpirun -n 8 gadwall sample schools.stan --data schools.json --chains 64)";

}  // namespace

Command add_sample(CLI::App& app, const std::vector<std::string>& words) {
  const auto job = std::make_shared<Job>();
  job->words = words;
  CLI::App* parser = app.add_subcommand("sample", "Draw from a target; the draws go to files");
  add_run_arguments(parser, job->arguments);
  parser->footer(kSampleFooter);
  return {parser, [job, parser] {
            require_same_words(job->words, processes());
            return carry_out(*job, *parser);
          }};
}

}  // namespace gadwall::app
