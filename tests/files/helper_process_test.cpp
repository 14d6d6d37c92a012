// A process of its own: what it cannot do to the one that started it.
#include "files/helper_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "files/netcdf_testing.hpp"

namespace gadwall::files {
namespace {

/// Answers numbers with their squares.
void square(const Channel& channel) {
  for (int number = 0; channel.receive(&number, sizeof number);) {
    const int answer = number * number;
    channel.send(&answer, sizeof answer);
  }
}

int ask(const HelperProcess& process, int number) {
  int answer = -1;
  process.channel().send(&number, sizeof number);
  process.channel().receive(&answer, sizeof answer);
  return answer;
}

TEST(HelperProcess, AnswersUntilNobodyAsks) {
  HelperProcess process(square);
  EXPECT_EQ(ask(process, 3), 9);
  EXPECT_EQ(ask(process, 12), 144);
  EXPECT_EQ(process.signal_at_end(), 0);
}

TEST(HelperProcess, SendsMuch) {
  HelperProcess process([](const Channel& channel) {
    std::vector<int> numbers(3'000'000);
    std::iota(numbers.begin(), numbers.end(), 0);
    channel.send(numbers.data(), numbers.size() * sizeof(int));
  });
  std::vector<int> numbers(3'000'000);
  ASSERT_TRUE(process.channel().receive(numbers.data(), numbers.size() * sizeof(int)));
  EXPECT_EQ(numbers.back(), 2'999'999);
  EXPECT_FALSE(process.channel().receive(numbers.data(), 1));
}

TEST(HelperProcess, DiesAlone) {
  HelperProcess crashes([](const Channel&) { ::raise(SIGKILL); });
  EXPECT_EQ(ask(crashes, 1), -1);
  EXPECT_EQ(crashes.signal_at_end(), SIGKILL);
  HelperProcess aborts([](const Channel&) { std::abort(); });
  EXPECT_EQ(ask(aborts, 1), -1);
  EXPECT_EQ(aborts.signal_at_end(), SIGABRT);
  HelperProcess throws([](const Channel&) { throw std::runtime_error("no"); });
  EXPECT_EQ(ask(throws, 1), -1);
  EXPECT_EQ(throws.signal_at_end(), 0);
}

TEST(HelperProcess, ThatComputesWithoutEndIsEnded) {
  HelperProcess process([](const Channel&) {
    allow_computing(0);
    for (;;) static_cast<void>(::getppid());
  });
  EXPECT_EQ(ask(process, 1), -1);
  EXPECT_EQ(process.signal_at_end(), SIGXCPU);
}

TEST(HelperProcess, IsNotWaitedForWhereItIsNoLongerWanted) {
  const HelperProcess process([](const Channel&) {
    for (;;) ::pause();
  });
}

/// Then the system waits for it, and its end cannot be asked for.
TEST(HelperProcess, AnswersWhereTheHostIgnoresItsEnd) {
  const auto before = ::signal(SIGCHLD, SIG_IGN);
  {
    HelperProcess process(square);
    EXPECT_EQ(ask(process, 5), 25);
    HelperProcess crashes([](const Channel&) { std::abort(); });
    EXPECT_EQ(ask(crashes, 1), -1);
    EXPECT_EQ(crashes.signal_at_end(), 0);
  }
  ::signal(SIGCHLD, before);
}

volatile sig_atomic_t handled = 0;

TEST(HelperProcess, RunsNoHandlerOfTheHost) {
  const auto count = [](int) { handled = handled + 1; };
  const auto before = ::signal(SIGTERM, count);
  HelperProcess process([](const Channel& channel) {
    ::raise(SIGTERM);
    const int seen = handled;
    channel.send(&seen, sizeof seen);
  });
  int seen = -1;
  EXPECT_TRUE(process.channel().receive(&seen, sizeof seen));
  EXPECT_EQ(seen, 0);
  ::signal(SIGTERM, before);
}

TEST(HelperProcess, KeepsNoFileOpenAndFlushesNothing) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("text");
  std::FILE* const file = std::fopen(path.c_str(), "w");
  std::fputs("once", file);  // waits in memory
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe(ends), 0);
  HelperProcess process(square);
  EXPECT_EQ(ask(process, 2), 4);
  ::close(ends[1]);
  char byte = 0;
  EXPECT_EQ(::read(ends[0], &byte, 1), 0);  // nobody else has the other end
  ::close(ends[0]);
  EXPECT_EQ(process.signal_at_end(), 0);
  std::fclose(file);
  std::ifstream text(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(text), {}), "once");
}

}  // namespace
}  // namespace gadwall::files
