// Runs the program as a user does: arguments in, a directory of its own, what it printed out.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace gadwall::app {

constexpr const char* kProgram = GADWALL_PROGRAM;

using Words = std::vector<std::string>;

struct Outcome {
  std::string out;
  std::string err;
  int code = -1;   // exit code; -1 where a signal ended it
  int signal = 0;  // the one that did
};

struct StartOptions {
  std::filesystem::path directory = {};
  bool terminal = false;       // stderr is a terminal
  unsigned short columns = 0;  // of it; 0: it does not say
  unsigned short rows = 0;
  std::string output_path = {};  // stdout goes there instead of into Outcome::out
  std::string errors_path = {};  // stderr likewise
  bool without_out = false;      // stdout is closed from the beginning
  unsigned short out_width = 0;  // stdout is a terminal of so many columns and 24 lines
};

/// The program while it runs.
class Process {
 public:
  Process(const Words& arguments, const StartOptions& options) {
    int out[2] = {-1, -1};
    int err[2] = {-1, -1};
    const winsize size{24, options.out_width, 0, 0};
    connect(out, options.out_width > 0, &size);
    const winsize err_size{options.rows, options.columns, 0, 0};
    connect(err, options.terminal, &err_size);
    Words words = arguments;
    words.insert(words.begin(), kProgram);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) become_program(pointers.data(), options, out[1], err[1]);
    check(pid_ > 0);
    close(out[1]);
    close(err[1]);
    streams_[0] = {out[0], {}};
    streams_[1] = {err[0], {}};
  }
  ~Process() {
    if (pid_ > 0 && !reaped_) {
      ::kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    for (const Stream& stream : streams_) {
      if (stream.file >= 0) close(stream.file);
    }
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal_number) const { ::kill(pid_, signal_number); }

  /// Whether the program has a handler of its own for the signal.
  bool catches(int signal_number) const {
    std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (!line.starts_with("SigCgt:")) continue;
      const auto mask = std::stoull(line.substr(line.find('\t') + 1), nullptr, 16);
      return (mask >> (signal_number - 1) & 1) != 0;
    }
    return false;
  }

  /// How long it has computed, whatever else the machine does.
  double processor_seconds() const {
    std::ifstream stat("/proc/" + std::to_string(pid_) + "/stat");
    std::string word;  // user time is the 14th; the program's name has no spaces
    for (int i = 0; i < 14; ++i) stat >> word;
    return std::strtod(word.c_str(), nullptr) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }

  /// Waits for something that the program will do; false where it ended, or never did it.
  bool wait_until(const std::function<bool()>& condition) {
    const auto limit = std::chrono::steady_clock::now() + kPatience;
    while (std::chrono::steady_clock::now() < limit) {
      if (condition()) return true;
      if (!read_some(2)) return condition();
    }
    return false;
  }

  /// What it said on stderr so far.
  const std::string& said() const { return streams_[1].text; }

  Outcome finish() {
    const auto limit = std::chrono::steady_clock::now() + kPatience;
    while (read_some(50)) {
      if (std::chrono::steady_clock::now() > limit) {
        ADD_FAILURE() << "the program does not end";
        ::kill(pid_, SIGKILL);
      }
    }
    int status = 0;
    waitpid(pid_, &status, 0);
    reaped_ = true;
    Outcome outcome{streams_[0].text, streams_[1].text, -1, 0};
    if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
    return outcome;
  }

 private:
  struct Stream {
    int file = -1;
    std::string text;
  };
  static constexpr std::chrono::seconds kPatience{120};  // only a program that hangs gets there

  static void check(bool worked) {
    if (!worked) throw std::runtime_error("cannot start the program");
  }

  /// A pipe or a terminal: we read from ends[0] what the program writes to ends[1].
  static void connect(int* ends, bool terminal, const winsize* size) {
    if (!terminal) return check(pipe2(ends, O_CLOEXEC) == 0);
    check(openpty(&ends[0], &ends[1], nullptr, nullptr, size) == 0);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  }

  [[noreturn]] static void become_program(char** words, const StartOptions& options, int out,
                                          int err) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(number, SIG_DFL);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    if (!options.output_path.empty()) out = open(options.output_path.c_str(), O_WRONLY);
    if (!options.errors_path.empty()) err = open(options.errors_path.c_str(), O_WRONLY);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    if (options.without_out) close(STDOUT_FILENO);
    if (chdir(options.directory.c_str()) == 0) execv(words[0], words);
    _exit(127);
  }

  /// False when both streams are at their end.
  bool read_some(int milliseconds) {
    pollfd waiting[2] = {{streams_[0].file, POLLIN, 0}, {streams_[1].file, POLLIN, 0}};
    if (streams_[0].file < 0 && streams_[1].file < 0) return false;
    poll(waiting, 2, milliseconds);
    for (int i = 0; i < 2; ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
      char buffer[65536];
      const ssize_t size = read(waiting[i].fd, buffer, sizeof buffer);
      if (size > 0) {
        streams_[i].text.append(buffer, static_cast<std::size_t>(size));
      } else {  // a terminal's end is an error
        close(std::exchange(streams_[i].file, -1));
      }
    }
    return true;
  }

  pid_t pid_ = -1;
  bool reaped_ = false;
  Stream streams_[2];
};

/// A directory for each test; the program runs in it.
class ProgramTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/gadwall-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override {
    if (!directory_.empty()) std::filesystem::remove_all(directory_);
  }

  Outcome run(const Words& arguments) const { return run(arguments, {}); }
  Outcome run(const Words& arguments, StartOptions options) const {
    options.directory = directory_;
    return Process(arguments, options).finish();
  }
  std::unique_ptr<Process> start(const Words& arguments, bool terminal = false) const {
    return start(arguments, StartOptions{.terminal = terminal});
  }
  std::unique_ptr<Process> start(const Words& arguments, StartOptions options) const {
    options.directory = directory_;
    return std::make_unique<Process>(arguments, options);
  }

  /// The words of a line, cut at spaces.
  static Words words(const std::string& line) {
    std::istringstream stream(line);
    return {std::istream_iterator<std::string>(stream), {}};
  }
  Outcome run(const std::string& line) const { return run(words(line)); }

  std::filesystem::path path(const std::string& name) const { return directory_ / name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// Everything in the directory, by name.
  Words files() const {
    Words names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }

  /// The lines of a draws file that are not comments: names first.
  std::string draws(const std::string& name) const {
    std::istringstream text(read(name));
    std::string kept;
    for (std::string line; std::getline(text, line);) {
      if (!line.starts_with("#")) kept += line + "\n";
    }
    return kept;
  }

 private:
  std::filesystem::path directory_;
};

inline std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  if (end == std::string::npos) return {};
  const auto begin = text.rfind('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1, end - begin);
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

/// A user's mistake: exit code 2 (or the one given), one line that holds all the parts.
inline void expect_refusal(const Outcome& outcome, const Words& parts, int code = 2) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.starts_with("gadwall: ")) << outcome.err;
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  for (const std::string& part : parts) expect_contains(outcome.err, part);
}

}  // namespace gadwall::app
