// Stands for BridgeStan, CmdStan and rstan, which are not to be had where the tests run.
#pragma once

#include <optional>

#include "app/stan_testing.hpp"

namespace gadwall::app {

/// The environment of the programs that are started while it lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

/// With a BridgeStan, a CmdStan and an rstan in the test's directory, of which the first is the one
/// that is found. All take any program for the one written by hand, but refuse the word "oops".
class StanCompile : public StanSample {
 protected:
  void SetUp() override {
    StanSample::SetUp();
    const std::filesystem::path from = std::string(GADWALL_TEST_DATA) + "/stan/stand_ins";
    const auto all = std::filesystem::copy_options::recursive;
    std::filesystem::copy(from / "bridgestan", path("bridgestan"), all);
    std::filesystem::copy(from / "cmdstan", path("cmdstan"), all);
    std::filesystem::copy_file(from / "cxx", path("cxx"));
    for (const char* place : {"bridgestan/bin", "cmdstan/bin", "rstan"}) {
      std::filesystem::create_directories(path(place));
      const std::string name = std::string(place) == "rstan" ? "Rscript" : "stanc";
      std::filesystem::copy_file(from / name, path(place) / name);
    }
    set("BRIDGESTAN", path("bridgestan"));
    set("CMDSTAN", "");
    set("XDG_CACHE_HOME", path("cache"));
    set("GADWALL_TEST_LIBRARY", fake("good"));
    set("GADWALL_TEST_MODEL", std::string(GADWALL_TEST_DATA) + "/stan/fake_model.cpp");
    set("GADWALL_TEST_FLAGS", path("flags"));
  }
  void TearDown() override {
    while (!environment_.empty()) environment_.pop_back();  // the last set is the first undone
    StanSample::TearDown();
  }

  void set(const char* name, const std::string& value) {
    environment_.push_back(std::make_unique<Environment>(name, value));
  }
  void find_cmdstan() {
    const std::string build = "make -s -C " + path("cmdstan").string() + " build >/dev/null 2>&1";
    ASSERT_EQ(std::system(build.c_str()), 0);
    set("BRIDGESTAN", "");
    set("CMDSTAN", path("cmdstan"));
  }
  void find_rstan() {
    set("BRIDGESTAN", "");
    set("HOME", path("nowhere"));
    set("CXX", path("cxx"));
    set("PATH", path("rstan").string() + ":" + std::getenv("PATH"));
  }

  const std::string program_ = "#include priors.stan\nmodel { }\n";

 private:
  std::vector<std::unique_ptr<Environment>> environment_;
};

}  // namespace gadwall::app
