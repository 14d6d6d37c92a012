// What is particular to BridgeStan, CmdStan and rstan.
#include "app/stan_installations.hpp"

namespace gadwall::app {
namespace {

class StanInstallations : public StanCompile {
 protected:
  void SetUp() override {
    StanCompile::SetUp();
    write("model.stan", "model { }");
  }

  Words files_of(const std::string& directory) const {
    Words names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path(directory))) {
      names.push_back(entry.path().string());
    }
    std::ranges::sort(names);
    return names;
  }

  Outcome compile(const std::string& options = "") const {
    return run("compile model.stan --force " + options);
  }
  bool is_compiled_anew() const { return compile().out.find("before") == std::string::npos; }
};

TEST_F(StanInstallations, BridgeStansOwnObjectIsNeitherUsedNorChanged) {
  write("bridgestan/src/bridgestan_threads.o", "of other flags\n");
  const Words before = files_of("bridgestan");
  for (const char* flags : {"", "--flags=-march=native", "--flags=-O1"}) {
    const Outcome outcome = compile(flags);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expect_contains(outcome.err, "what all programs share is compiled too");
  }
  EXPECT_EQ(files_of("bridgestan"), before);
  EXPECT_EQ(read("bridgestan/src/bridgestan_threads.o"), "of other flags\n");
  write("model.stan", "model { } // another");
  const Outcome another = compile("--flags=-O1");
  EXPECT_EQ(another.code, 0) << another.err;
  EXPECT_EQ(another.err.find("what all programs share"), std::string::npos);
}

TEST_F(StanInstallations, AFailureOfMakeIsNotTheProgramsFault) {
  write("model.stan", "model { } // broken");
  const Outcome outcome = compile();
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  expect_contains(outcome.err, "no such type");
  expect_contains(last_line(outcome.err), "gadwall: make in ");
  expect_contains(last_line(outcome.err), "/bridgestan failed with exit code 2");
}

TEST_F(StanInstallations, AnErrorIsInTheFileThatHasIt) {
  write("model.stan", "#include priors.stan\nmodel { }\n");
  write("priors.stan", "// one\n// two\noops\n");
  for (int turn = 0; turn < 2; ++turn) {
    const Outcome outcome = compile();
    EXPECT_EQ(outcome.code, 2);
    expect_contains(outcome.err, "Semantic error in 'priors.stan', line 3");
    expect_contains(outcome.err, "'model.stan', line 1");
    expect_contains(outcome.err, "gadwall: priors.stan:3:2: ");
    find_cmdstan();
  }
}

TEST_F(StanInstallations, SettingsOfMakeAreNoticed) {
  for (const char* installation : {"bridgestan", "cmdstan"}) {
    EXPECT_TRUE(is_compiled_anew());
    EXPECT_FALSE(is_compiled_anew());
    std::filesystem::create_directories(path(installation) / "make");
    for (const char* line : {"CXXFLAGS += -DA\n", "STANCFLAGS += --O1\n", "LDLIBS += -lm\n"}) {
      write(std::string(installation) + "/make/local", line);
      EXPECT_TRUE(is_compiled_anew()) << installation << ": " << line;
      EXPECT_FALSE(is_compiled_anew()) << installation << ": " << line;
    }
    find_cmdstan();
  }
}

TEST_F(StanInstallations, StansCompilerGetsItsFlags) {
  set("GADWALL_TEST_STANC", path("stanc"));
  for (const char* installation : {"bridgestan", "cmdstan"}) {
    std::filesystem::create_directories(path(installation) / "make");
    write(std::string(installation) + "/make/local", "STANCFLAGS = --warn-pedantic\n");
    EXPECT_EQ(compile("--stanc-flags=--O1").code, 0);
    EXPECT_TRUE(read("stanc").starts_with("--warn-pedantic --O1 --name=model_model "))
        << read("stanc");
    EXPECT_EQ(run("sample model.stan --stanc-flags=--O1 --force" + short_run_).code, 0);
    find_cmdstan();
  }
  find_rstan();
  set("CMDSTAN", "");
  expect_contains(compile("--stanc-flags=--O1").err, "--stanc-flags has '--O1', but R's rstan");
}

TEST_F(StanInstallations, ACompilerMayHaveWordsBeforeIt) {
  find_rstan();
  set("CXX", "env A=1 " + path("cxx").string());  // as in CXX="ccache g++"
  const Outcome outcome = compile();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST_F(StanInstallations, WhatIsCompiledIsWritableByItsOwnerAlone) {
  using std::filesystem::perms;
  const perms others = perms::group_write | perms::others_write;
  EXPECT_TRUE(is_compiled_anew());
  const auto cache = path("cache/gadwall");
  EXPECT_EQ(std::filesystem::status(cache).permissions() & others, perms::none);
  EXPECT_FALSE(is_compiled_anew());
  std::filesystem::permissions(cache, perms::all);  // anybody may have put something there
  EXPECT_TRUE(is_compiled_anew());
  EXPECT_EQ(std::filesystem::status(cache).permissions() & others, perms::none);
}

TEST_F(StanInstallations, ADirectoryHasOneName) {
  find_cmdstan();
  EXPECT_TRUE(is_compiled_anew());
  set("CMDSTAN", path("cmdstan").string() + "/");
  EXPECT_FALSE(is_compiled_anew());
  set("CMDSTAN", path("bridgestan/../cmdstan"));
  EXPECT_FALSE(is_compiled_anew());
}

TEST_F(StanInstallations, SundialsIsCompiledForLibrariesOnce) {
  find_cmdstan();
  const Words before = files_of("cmdstan");
  write("model.stan", "model { } // ode_bdf");
  const Outcome first = compile();
  EXPECT_EQ(first.code, 0) << first.err;
  expect_contains(first.err, "needs Sundials");
  EXPECT_EQ(run("sample model.so" + short_run_).code, 0);
  EXPECT_EQ(files_of("cmdstan"), before);
  write("model.stan", "model { } // ode_bdf, another");
  const Outcome second = compile();
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(second.err.find("Sundials"), std::string::npos) << second.err;
}

TEST_F(StanInstallations, ALibraryThatTheLoaderHasNoRoomForIsCompiledForAny) {
  set("GADWALL_TEST_INITIAL_EXEC", fake("large_room"));
  const Outcome outcome = run("sample model.stan" + short_run_);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read("flags"), "-fPIC\n");
  EXPECT_EQ(run("sample model.stan --force" + short_run_).err, "");
}

TEST_F(StanInstallations, RstanIsNotAskedForWhatIsNewer) {
  find_rstan();
  write("model.stan", "parameters {\n  sum_to_zero_vector[3] oops; // tuple\n}\n");
  const Outcome outcome = compile();
  EXPECT_EQ(outcome.code, 2);
  expect_contains(last_line(outcome.err), "gadwall: model.stan:2:9: ");
  expect_contains(last_line(outcome.err), "'sum_to_zero_vector' needs Stan 2.36");
  expect_contains(last_line(outcome.err), "set CMDSTAN or BRIDGESTAN");
  write("model.stan", "model { oops; } // tuple");
  EXPECT_EQ(compile().err.find("needs Stan"), std::string::npos);
}

TEST_F(StanInstallations, RstanGetsArraysInItsWordsInIncludedFilesToo) {
  find_rstan();
  set("GADWALL_TEST_STANC", path("stanc"));
  write("model.stan", "#include data.stan\nparameters { array[2] real x; } model { }\n");
  write("data.stan", "transformed data { array[3] int n; }\n");
  const Outcome outcome = compile();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_contains(read("stanc"), "parameters { real x[2]; }");
  expect_contains(read("stanc"), "transformed data { int n[3]; }");
}

TEST_F(StanInstallations, AProgramWithDataIsToldSoBeforeItIsCompiled) {
  write("model.stan", "functions { }\ndata { int N; }\nmodel { }\n");
  expect_refusal(run("sample model.stan" + short_run_), {"model.stan: ", "--data FILE"});
  for (const char* program : {"data { }\nmodel { }\n", "transformed data { int N; }\nmodel { }\n",
                              "// data { int N; }\nmodel { }\n"}) {
    write("model.stan", program);
    EXPECT_EQ(run("sample model.stan --force" + short_run_).code, 0) << program;
  }
}

TEST_F(StanInstallations, ATerminalShowsHowLongItTakes) {
  write("bridgestan/bin/stanc", "#!/bin/sh\nsleep 60\n");
  const auto process = start(words("compile model.stan"), true);
  EXPECT_TRUE(
      process->wait_until([&] { return process->said().find("... 1 s") != std::string::npos; }));
  process->send(SIGINT);
  const Outcome outcome = process->finish();
  EXPECT_TRUE(outcome.err.ends_with("\r\033[Kgadwall: interrupted\r\n")) << outcome.err;
}

}  // namespace
}  // namespace gadwall::app
