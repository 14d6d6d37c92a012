// A whole run survives the death of its process at every call that changes the disk.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <functional>

#include "files/netcdf_disk.hpp"
#include "files/netcdf_testing.hpp"
#include "gadwall/gadwall.hpp"
#include "message_of.hpp"

namespace gadwall::files {
namespace {

std::atomic<int> steps_left{0};

int count_down() {
  if (--steps_left == 0) ::kill(::getpid(), SIGKILL);
  return 0;
}

/// In a process of its own; false where the work ends before that step.
bool dies_at(int step, const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    steps_left = step;
    disk_fault = count_down;
    work();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

/// How many of these calls the work makes.
int count_steps(const std::function<void()>& work) {
  constexpr int kMany = 1'000'000;
  steps_left = kMany;
  disk_fault = count_down;
  work();
  disk_fault = nullptr;
  return kMany - steps_left;
}

std::shared_ptr<const Target> three_normals() {
  return make_target(
      [](ConstVectorRef x, VectorRef grad) {
        grad = -x;
        return -0.5 * x.squaredNorm();
      },
      3);
}

/// Of a whole run with its checkpoints: whichever call of whichever thread is the last, the run
/// goes on, or begins anew where it had no checkpoint, to the same draws. Of more calls than
/// `most` some that are evenly apart are tried.
void expect_nothing_lost(SampleOptions options, double checkpoint_seconds, int most) {
  const TemporaryDirectory directory;
  const auto target = three_normals();
  options.run.chains = 2;
  options.run.threads = 2;
  FileOptions files;
  files.name = directory.file("run");
  files.checkpoint_seconds = checkpoint_seconds;
  const Matrix whole = sample(target, options).draws.chains[1].draws;
  options.run.save_warmup = true;
  int deaths = 0;
  const auto clear = [&] {
    for (const char* ending : {".nc", ".nc.journal", ".checkpoint", ".checkpoint.old"}) {
      std::filesystem::remove(files.name + ending);
    }
  };
  const int steps = count_steps([&] { sample_to_file(target, options, files); });
  for (int step = 1;; step += 1 + steps / most) {
    SCOPED_TRACE(step);
    clear();
    if (!dies_at(step, [&] { sample_to_file(target, options, files); })) break;
    ++deaths;
    if (std::filesystem::exists(files.name + ".checkpoint")) {
      resume(target, options, files);
    } else {
      sample_to_file(target, options, files);
    }
    ASSERT_EQ(read(files.name).chains[1].draws, whole);
    const auto left = std::filesystem::directory_iterator(directory.file(""));
    for (const auto& entry : left) {
      for (const char* ending : {".new", ".link", ".journal", ".lock"}) {
        EXPECT_NE(entry.path().extension(), ending) << entry.path();
      }
    }
  }
  EXPECT_GT(deaths, 20);
}

TEST(RunCrash, AtEveryStepOfTheDiskLosesNothing) {
  SampleOptions options{.sampler = "gadmala"};
  options.run.warmup = 100;
  options.run.draws = 1500;
  expect_nothing_lost(options, 60, 1000);
}

/// Checkpoints at every rest, so that every stage has some.
TEST(RunCrash, InEveryStageLosesNothing) {
  SampleOptions options{.sampler = "auto"};
  options.run.warmup = 100;
  options.run.draws = 30;
  expect_nothing_lost(options, 1e-9, 40);
}

/// Killed at each call from the first checkpoint to the name of its draws, and that name is then
/// another's: nothing of it is lost without a word.
TEST(RunCrash, BeforeItHasDrawsTakesNoFileOfOthers) {
  const TemporaryDirectory directory;
  const auto target = three_normals();
  SampleOptions options{.sampler = "gadmala"};
  options.run.chains = 2;
  options.run.warmup = 100;
  options.run.draws = 200;
  const Matrix whole = sample(target, options).draws.chains[1].draws;
  FileOptions others;
  others.name = directory.file("others");
  SampleOptions other_seed = options;
  other_seed.run.seed = 2;
  sample_to_file(target, other_seed, others);
  const auto names = [&](const char* ending) { return directory.file("run") + ending; };
  FileOptions files;
  files.name = directory.file("run");
  int deaths = 0;
  for (int step = 1;; ++step) {
    SCOPED_TRACE(step);
    for (const char* ending : {".nc", ".checkpoint", ".checkpoint.old"}) {
      std::filesystem::remove(names(ending));
    }
    ASSERT_TRUE(dies_at(step, [&] { sample_to_file(target, options, files); }));
    if (std::filesystem::exists(names(".nc"))) break;
    if (!std::filesystem::exists(names(".checkpoint"))) continue;
    ++deaths;
    std::filesystem::copy(others.name + ".nc", names(".nc"));
    files.overwrite = false;
    EXPECT_EQ(
        testing::message_of<UsageError>([&] { resume(target, options, files); }),
        names(".nc") + ": is not the run's own, which has no draws yet; `force` overwrites it");
    EXPECT_EQ(read(files.name).facts.seed, 2U);
    files.overwrite = true;
    resume(target, options, files);
    ASSERT_EQ(read(files.name).chains[1].draws, whole);
    files.overwrite = false;
  }
  EXPECT_GT(deaths, 3);
}

}  // namespace
}  // namespace gadwall::files
