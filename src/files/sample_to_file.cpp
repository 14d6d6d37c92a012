// Sampling into files and going on with them, for C++ programs.
#include <utility>

#include "files/read_run.hpp"
#include "files/run_files.hpp"
#include "gadwall/error.hpp"
#include "gadwall/files.hpp"
#include "run/before_run.hpp"
#include "run/watch.hpp"

namespace gadwall::files {
namespace {

RunPlan make_plan(std::shared_ptr<const Target> target, const SamplerRow& sampler,
                  const SampleOptions& options) {
  return {std::move(target), sampler, options.settings, options.run};
}

/// A name of the run is what its files call the target, unless that has its own.
FileOptions labelled(FileOptions files, const SampleOptions& options) {
  if (files.target == FileOptions{}.target && !options.name.empty()) files.target = options.name;
  return files;
}

FileResult carry_out(const RunPlan& plan, RunFiles& files, const SampleOptions& options,
                     Monitor* watched) {
  Monitor own(plan.run.chains);
  Monitor& monitor = watched != nullptr ? *watched : own;
  if (monitor.chain.size() != static_cast<std::size_t>(plan.run.chains)) {
    throw UsageError("the monitor is not for as many chains as the run has");
  }
  FileResult result;
  result.warnings = warnings_before(plan, options);
  const RunOutcome outcome = [&] {
    const Watch watch(plan, monitor, options);
    return run(plan, files.sink(), monitor, files.restart());
  }();
  files.finish(outcome);
  result.name = files.name();
  result.paths = files.paths();
  result.facts = outcome.facts;
  if (outcome.facts.draws == 0) return result;
  const std::optional<ReadResult> remembered = files.remembered(outcome);
  result.summary = summarise(remembered ? remembered->draws : read(result.paths.front()),
                             {.known = files.known_summary(outcome)});
  return result;
}

}  // namespace

FileResult sample_to_file(std::shared_ptr<const Target> target, const SampleOptions& options,
                          const FileOptions& files) {
  return sample_to_file(std::move(target), find_sampler(options.sampler), options, files);
}

FileResult sample_to_file(std::shared_ptr<const Target> target, const SamplerRow& sampler,
                          const SampleOptions& options, const FileOptions& files) {
  const RunPlan plan = make_plan(std::move(target), sampler, options);
  RunFiles written(plan, labelled(files, options), {}, {});
  return carry_out(plan, written, options, files.monitor);
}

FileResult resume(std::shared_ptr<const Target> target, const SampleOptions& options,
                  const FileOptions& files) {
  return resume(std::move(target), find_sampler(options.sampler), options, files);
}

FileResult resume(std::shared_ptr<const Target> target, const SamplerRow& sampler,
                  const SampleOptions& options, const FileOptions& files) {
  const RunPlan plan = make_plan(std::move(target), sampler, options);
  StoppedRun stopped = take_up(run_name(files.name));
  // What the run was begun with stays in its checkpoints.
  RunOrigin origin{stopped.checkpoint.arguments, stopped.checkpoint.fingerprints};
  std::vector<std::string> warnings = std::move(stopped.warnings);
  RunFiles written(plan, labelled(files, options), std::move(stopped), std::move(origin), {});
  FileResult result = carry_out(plan, written, options, files.monitor);
  result.warnings.insert(result.warnings.begin(), warnings.begin(), warnings.end());
  return result;
}

}  // namespace gadwall::files
