// What the program asks of the system's memory.
#include "app/memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sanitizers.hpp"

namespace gadwall::app {
namespace {

/// In a process of its own, which keeps the limit.
template <class Holds>
bool holds_under_limit(Holds holds) {
  const pid_t child = ::fork();
  if (child == 0) {
    limit_memory_to_machine();
    ::_exit(holds() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Memory, IsLimitedToWhatTheMachineHas) {
#ifdef GADWALL_SANITIZED_MALLOC
  GTEST_SKIP() << "a sanitizer has asked for more addresses than the machine has memory";
#endif
  EXPECT_TRUE(holds_under_limit([] {
    rlimit limit{};
    const auto pages = static_cast<rlim_t>(sysconf(_SC_PHYS_PAGES));
    return getrlimit(RLIMIT_DATA, &limit) == 0 &&
           limit.rlim_cur < 2 * pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  }));
}

TEST(Memory, ThatIsThereCanBeHad) {
  EXPECT_TRUE(holds_under_limit([] { return std::vector<char>(10'000'000, 'x').back() == 'x'; }));
}

}  // namespace
}  // namespace gadwall::app
