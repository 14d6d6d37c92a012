// Names of programs, and flags, that a shell or make would take for commands.
#include "app/stan_installations.hpp"

namespace gadwall::app {
namespace {

/// Every name would make a file `stolen` if it were run.
const Words kNames = {"m;touch stolen;.stan",       "m`touch stolen`.stan",
                      "$(shell touch stolen).stan", "m'\"&touch stolen&|#.stan",
                      "m\ntouch stolen\n.stan",     "m%=:~*?.stan",
                      "d;touch stolen;/m.stan",     "$(shell touch stolen) `touch stolen`/m.stan"};

class StanNames : public StanCompile {
 protected:
  bool is_stolen() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path("."))) {
      if (entry.path().filename().string().starts_with("stolen")) return true;
    }
    return false;
  }

  void compile_all() {
    for (const std::string& name : kNames) {
      std::filesystem::create_directories(path(name).parent_path());
      write((std::filesystem::path(name).parent_path() / "it's.stan").string(), "// priors\n");
      write(name, "#include it's.stan\nmodel { }\n");
      const Outcome taken = run(Words{"compile", name, "-o", "m.so", "--force", "--rebuild"});
      EXPECT_EQ(taken.code, 0) << name << ": " << taken.err;
      EXPECT_FALSE(is_stolen()) << name;
    }
    const std::string wrong = "$(touch stolen);`touch stolen`.stan";
    write(wrong, "model {\n  real x; oops;\n}\n");
    const Outcome refused = run(Words{"compile", wrong});
    EXPECT_EQ(refused.code, 2) << refused.err;
    expect_contains(refused.err, "gadwall: " + wrong + ":2:9: ");
    EXPECT_FALSE(is_stolen());
  }
};

TEST_F(StanNames, RunNoCommandsWithBridgeStan) {
  compile_all();
}

TEST_F(StanNames, RunNoCommandsWithCmdStan) {
  find_cmdstan();
  compile_all();
}

TEST_F(StanNames, RunNoCommandsWithRstan) {
  find_rstan();
  compile_all();
}

TEST_F(StanNames, OfTheCacheRunNoCommandsEither) {
  set("XDG_CACHE_HOME", path("ca che;touch stolen;$(shell touch stolen)"));
  write("model.stan", "model { }");
  const Outcome outcome = run("compile model.stan");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_contains(run("compile model.stan -o again.so").out, "it was compiled before");
  EXPECT_FALSE(is_stolen());
}

TEST_F(StanNames, OfAnInstallationMustBePlain) {
  write("model.stan", "model { }");
  for (const char* name : {"bridge stan", "b;touch stolen;", "$(shell touch stolen)"}) {
    std::filesystem::rename(path("bridgestan"), path(name));
    expect_refusal(run(Words{"compile", "model.stan", "--stan", name}),
                   {"--stan", name, "letters"});
    std::filesystem::rename(path(name), path("bridgestan"));
  }
  EXPECT_FALSE(is_stolen());
}

TEST_F(StanNames, OfFlagsRunNoCommands) {
  write("model.stan", "model { }");
  for (const char* flag : {"-DA;touch${IFS}stolen;", "-DA`touch${IFS}stolen`", "-D$(shell touch)",
                           "-DA$(touch${IFS}stolen)", "-DA=$(shell${IFS}touch${IFS}stolen)",
                           "-DA='|touch${IFS}stolen'"}) {
    run(Words{"compile", "model.stan", "--force", std::string("--flags=") + flag});
    run(Words{"compile", "model.stan", "--force", std::string("--stanc-flags=") + flag});
    EXPECT_FALSE(is_stolen()) << flag;
  }
  for (const char* flag : {"-wrapper touch,stolen", "-fplugin=x.so", "@file", "-B.", "-specs=x"}) {
    expect_refusal(run(Words{"compile", "model.stan", "--force", std::string("--flags=") + flag}),
                   {"--flags"});
  }
}

TEST_F(StanNames, ArriveAsTheyAreInFlags) {
  write("model.stan", "model { }");
  const Outcome outcome = run(Words{"compile", "model.stan", "--flags=-DA='$x'(1) -O1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(read("flags"), "-ftls-model=initial-exec -DA='$x'(1) -O1 -fPIC\n");
}

}  // namespace
}  // namespace gadwall::app
