// Runs of the C interface.
#include <cmath>
#include <cstring>

#include "c/run_thread.hpp"
#include "files/read_run.hpp"
#include "gadwall/error.hpp"

#include "c/draws.hpp"

using namespace gadwall;
using namespace gadwall::c;

namespace {

gadwall_run* started(std::unique_ptr<RunThread> thread) {
  return new gadwall_run{std::move(thread), {}};
}

void require_ended(const gadwall_run* run) {
  if (!run->thread->wait(0)) throw UsageError("the run has not ended yet");
}

/// The run of these files, on with it. model and points as it was begun.
gadwall_run* resumed(gadwall_model model, std::optional<Matrix> points, const std::string& out,
                     const Words& changes) {
  files::StoppedRun stopped = files::take_up(files::run_name(out));
  const files::Checkpoint& from = stopped.checkpoint;
  Words words = changed_words(from_arguments(from.arguments, out), changes, from.rows.draws);
  words.emplace_back("out", stopped.lock->run());
  return started(std::make_unique<RunThread>(
      Beginning{std::move(model), std::move(words), std::move(points)}, std::move(stopped)));
}

}  // namespace

int gadwall_run_chains(const gadwall_option* options, size_t count, int64_t* chains) {
  return guarded([&] {
    require(chains, "the place for the chains");
    *chains = session::planned_chains(read_words(words_from(options, count)).request);
  });
}

int gadwall_run_start(const gadwall_model* model, const gadwall_option* options, size_t count,
                      const double* points, gadwall_run** run) {
  return guarded_make(run, [&] {
    require(model, "the model");
    Words words = words_from(options, count);
    std::optional<Matrix> starts;
    if (points != nullptr) {
      const Index chains = session::planned_chains(read_words(words).request);
      starts = Eigen::Map<const Matrix>(points, model->target->dim(), chains);
    }
    return started(
        std::make_unique<RunThread>(Beginning{*model, std::move(words), std::move(starts)}));
  });
}

int gadwall_run_resume(const gadwall_run* ended, const gadwall_option* options, size_t count,
                       gadwall_run** run) {
  return guarded_make(run, [&] {
    require(ended, "the run to go on with");
    require_ended(ended);
    const RunThread& earlier = *ended->thread;
    const Words changes = words_from(options, count);
    Beginning beginning = earlier.beginning();
    if (!earlier.name().empty()) {
      return resumed(std::move(beginning.model), std::move(beginning.points), earlier.name(),
                     changes);
    }
    const Rest rest = earlier.rest();
    beginning.words = changed_words(std::move(beginning.words), changes, rest.state.rows.draws);
    return started(std::make_unique<RunThread>(std::move(beginning), rest));
  });
}

int gadwall_run_resume_file(const gadwall_model* model, const char* out,
                            const gadwall_option* options, size_t count, gadwall_run** run) {
  return guarded_make(run, [&] {
    require(model, "the model");
    require(out, "the name of the run");
    return resumed(*model, std::nullopt, out, words_from(options, count));
  });
}

void gadwall_run_stop(gadwall_run* run) {
  run->thread->stop();
}

int gadwall_run_wait(gadwall_run* run, double seconds) {
  int status = GADWALL_TIMEOUT;
  const int failed = guarded([&] {
    if (std::isnan(seconds)) throw UsageError("the time to wait is NaN");
    if (run->thread->wait(seconds)) status = keep_failure(run->thread->failure());
  });
  return failed != GADWALL_OK ? failed : status;
}

int gadwall_run_progress(gadwall_run* run, gadwall_progress* progress) {
  return guarded([&] {
    require(progress, "the place for the progress");
    gadwall_progress now = run->thread->progress();
    const std::size_t size = std::min(progress->size, sizeof now);
    now.size = size;
    std::memcpy(progress, &now, size);  // an older caller knows fewer fields
  });
}

const char* gadwall_run_message(gadwall_run* run) {
  return guarded_text([&]() -> const char* {
    std::optional<std::string> message = run->thread->next_message();
    if (!message) return nullptr;
    run->message = std::move(*message);
    return run->message.c_str();
  });
}

const char* gadwall_run_name(const gadwall_run* run) {
  return run->thread->name().c_str();
}

int gadwall_run_draws(gadwall_run* run, gadwall_draws** draws) {
  return guarded_make(draws, [&] { return new gadwall_draws(run->thread->draws()); });
}

void gadwall_run_free(gadwall_run* run) {
  delete run;
}
