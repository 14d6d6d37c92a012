// Programs compiled by Stan itself: gradients, constrained values, posteriors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/program.hpp"
#include "files/text_file.hpp"
#include "gadwall/sample.hpp"
#include "gadwall/targets.hpp"
#include "message_of.hpp"
#include "stan/bridge_symbols.hpp"
#include "stan/target.hpp"
#include "targets/target_checks.hpp"

namespace gadwall {
namespace {

const std::string kSource = GADWALL_STAN_SOURCE;

std::string library(const std::string& program) {
  return std::string(GADWALL_STAN_LIBRARIES) + "/" + program + ".so";
}

}  // namespace
}  // namespace gadwall

namespace gadwall::stan {
namespace {

using namespace gadwall::testing;
using Json = nlohmann::json;

struct Case {
  std::string program;
  std::string data;  // file
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.program << " " << c.data;
}

std::shared_ptr<const StanTarget> load(const Case& c) {
  const std::string data = c.data.empty() ? "" : files::read_text_file(kSource + "/" + c.data);
  return std::make_shared<StanTarget>(library(c.program), data, 1);
}

class StanProgram : public ::testing::TestWithParam<Case> {};

TEST_P(StanProgram, HasTheGradientOfItsDensity) {
  const auto target = load(GetParam());
  Matrix x = normal_matrix(target->dim(), 5, 41);
  if (GetParam().program == "rejects") x = x.cwiseAbs().array() + 0.1;
  for (Index k = 0; k < x.cols(); ++k) {
    const Vector at = x.col(k);
    EXPECT_LT(
        relative_error(Evaluation(*target, at).grad.col(0), differenced_gradient(*target, at)),
        1e-7);
  }
}

TEST_P(StanProgram, FindsTheCoordinatesOfItsValues) {
  const auto target = load(GetParam());
  const Vector x = normal_matrix(target->dim(), 1, 42);
  const std::vector<std::string> names = target->output_names();
  Vector values(static_cast<Index>(names.size()));
  Vector again(values.size());
  target->output(x, {1, 0, 0}, values);
  target->output(target->coordinates(names, values), {1, 0, 0}, again);
  EXPECT_LT((values - again).norm(), 1e-10 * (1 + values.norm()));
}

/// The difference of two estimates in units of their common standard error.
double z_score(double a, double a_error, double b, double b_error) {
  return (a - b) / std::hypot(a_error, b_error);
}

TEST_P(StanProgram, HasThePosteriorThatStanFinds) {
  const auto target = load(GetParam());
  SampleOptions options;
  options.sampler = "nuts";
  options.settings = {{"target-accept", 0.98}};
  options.run.draws = 4000;
  const SampleResult result = sample(target, options);
  const Json reference =
      Json::parse(files::read_text_file(kSource + "/reference.json")).at(GetParam().program);
  int compared = 0;
  for (const ParameterSummary& parameter : result.summary.parameters) {
    if (GetParam().data == "schools_centred.json" && parameter.name.starts_with("z")) continue;
    const Json& stan = reference.at(parameter.name);
    const ParameterDiagnostics& ours = parameter.values;
    if (ours.sd < 1e-10) continue;
    EXPECT_LT(std::abs(z_score(ours.mean, ours.mcse_mean, stan.at("mean"), stan.at("mcse_mean"))),
              4)
        << parameter.name << ": mean " << ours.mean << " and " << stan.at("mean");
    EXPECT_LT(std::abs(z_score(ours.sd, ours.mcse_sd, stan.at("sd"), stan.at("mcse_sd"))), 4)
        << parameter.name << ": sd " << ours.sd << " and " << stan.at("sd");
    ++compared;
  }
  EXPECT_GT(compared, 0);
}

INSTANTIATE_TEST_SUITE_P(Programs, StanProgram,
                         ::testing::Values(Case{"eight_schools", "schools.json"},
                                           Case{"eight_schools", "schools_centred.json"},
                                           Case{"logistic", "logistic.json"},
                                           Case{"constrained", "constrained.json"},
                                           Case{"rejects", ""}));

TEST(StanArrays, HaveTheNamesOfTheCoordinatesThatMoveThem) {
  const auto target = load({"arrays", ""});
  const std::vector<std::string> names = target->names();
  const std::vector<std::string> value_names = target->output_names();
  ASSERT_EQ(names.size(), 14U);
  EXPECT_EQ(std::ranges::count(names, "p.2.1"), 1);
  const auto values_at = [&](const Vector& x) {
    Vector values(target->parameters());
    target->output(x, {}, values);
    return values;
  };
  const Vector before = values_at(Vector::Zero(14));
  for (Index j = 0; j < 14; ++j) {
    const std::string& name = names[static_cast<std::size_t>(j)];
    const Vector moved = values_at(0.5 * Vector::Unit(14, j)) - before;
    if (name.starts_with("p.")) {  // moves a simplex, and nothing of the other
      for (Index i = 0; i < moved.size(); ++i) {
        const std::string& value = value_names[static_cast<std::size_t>(i)];
        if (value.starts_with(name.substr(0, 4))) continue;
        EXPECT_EQ(moved[i], 0) << name << " " << value;
      }
    } else {
      const auto its = std::ranges::find(value_names, name) - value_names.begin();
      EXPECT_EQ(moved, Vector(0.5 * Vector::Unit(moved.size(), its))) << name;
    }
  }
}

TEST(StanLogistic, IsTheBuiltInRegression) {
  TargetOptions options;
  options.data = kSource + "/logistic.csv";
  options.standardise = false;
  options.prior_sd = 2;
  const auto built_in = find_target("logistic").make(options).target;
  const auto stan = load({"logistic", "logistic.json"});
  const Matrix x = normal_matrix(4, 6, 43);
  const Evaluation a(*built_in, x);
  const Evaluation b(*stan, x);
  EXPECT_LT((a.grad - b.grad).norm(), 1e-10 * a.grad.norm());
  const Vector difference = a.logp - b.logp;  // constants apart
  EXPECT_LT((difference.array() - difference[0]).abs().maxCoeff(), 1e-10 * std::abs(a.logp[0]));
}

// With flat priors on b and sigma: b ~ t with N - P - 1 degrees of freedom around least squares, so
// that cov(b) = SSE / (N - P - 3) (X^T X)^-1. Its sds go from 0.1 to 30,000.
TEST(StanRawRegression, IsSolvedWhateverTheUnitsOfItsCovariates) {
  const Json data = Json::parse(files::read_text_file(kSource + "/raw_regression.json"));
  const Index rows = data.at("N"), columns = data.at("P");
  Matrix X(rows, columns);
  Vector y(rows);
  for (Index i = 0; i < rows; ++i) {
    y[i] = data.at("y").at(static_cast<std::size_t>(i));
    for (Index j = 0; j < columns; ++j) {
      X(i, j) = data.at("X").at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j));
    }
  }
  const Vector mean = X.colPivHouseholderQr().solve(y);
  const double freedom = static_cast<double>(rows - columns - 3);
  const Matrix covariance = (y - X * mean).squaredNorm() / freedom * (X.transpose() * X).inverse();
  SampleOptions options;
  const SampleResult result = sample(load({"raw_regression", "raw_regression.json"}), options);
  EXPECT_GT(result.summary.ess_worst, 1000);
  for (Index j = 0; j < columns; ++j) {
    const auto& seen = result.summary.parameters[static_cast<std::size_t>(j)].values;
    EXPECT_LT(std::abs(seen.mean - mean[j]), 4 * seen.mcse_mean) << "b." << j + 1;
    EXPECT_LT(std::abs(seen.sd - std::sqrt(covariance(j, j))), 4 * seen.mcse_sd) << "b." << j + 1;
  }
}

TEST(StanRejects, SaysWhyAPointWasRejected) {
  const auto target = load({"rejects", ""});
  try {
    log_density(*target, Vector::Constant(1, -1));
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("x must not be negative; found x=-1"),
              std::string::npos)
        << error.what();
  }
}

/// The library itself, as a client of BridgeStan has it.
class Client {
 public:
  explicit Client(const std::string& program)
      : library_(dlopen(library(program).c_str(), RTLD_NOW | RTLD_LOCAL)) {}

  template <class Result, class... Arguments>
  Result call(const std::string& name, Arguments... arguments) const {
    return reinterpret_cast<Result (*)(Arguments...)>(find(name))(arguments...);
  }
  void* find(const std::string& name) const { return dlsym(library_, name.c_str()); }

 private:
  void* library_;
};

TEST(StanLibrary, HasAllThatBridgeStansClientsLookUp) {
  const Client client("eight_schools");
  for (const auto* functions : {&kBridgeFunctions, &kBridgeFunctionsForR}) {
    for (const std::string& name : *functions) EXPECT_NE(client.find(name), nullptr) << name;
  }
}

TEST(StanLibrary, HasTheHessianOfItsDensity) {
  const auto target = load({"eight_schools", "schools.json"});
  const Client client("eight_schools");
  const std::string data = kSource + "/schools.json";
  char* error = nullptr;
  auto* model = client.call<void*>("bs_model_construct", data.c_str(), 1U, &error);
  ASSERT_NE(model, nullptr) << error;
  const std::string name = client.call<const char*>("bs_name", model);
  EXPECT_TRUE(name.ends_with("eight_schools_model")) << name;
  const Vector x = normal_matrix(target->dim(), 1, 44);
  const Vector v = normal_matrix(target->dim(), 1, 45);
  Vector grad(x.size()), product(x.size());
  Matrix hessian(x.size(), x.size());
  double logp = 0;
  EXPECT_EQ(client.call<int>("bs_log_density_hessian", model, true, true, x.data(), &logp,
                             grad.data(), hessian.data(), &error),
            0);
  EXPECT_EQ(client.call<int>("bs_log_density_hessian_vector_product", model, true, true, x.data(),
                             v.data(), &logp, product.data(), &error),
            0);
  const Evaluation there(*target, x);
  EXPECT_EQ(logp, there.logp[0]);
  EXPECT_EQ(grad, there.grad.col(0));
  const double h = 1e-5;
  const Vector differenced =
      (Evaluation(*target, x + h * v).grad.col(0) - Evaluation(*target, x - h * v).grad.col(0)) /
      (2 * h);
  EXPECT_LT(relative_error(product, differenced), 1e-7);
  EXPECT_LT(relative_error(hessian * v, differenced), 1e-7);
  client.call<void>("bs_model_destruct", model);
}

TEST(StanLibrary, AnswersR) {
  const Client client("eight_schools");
  const char* wrong = "{}";
  int seed = 1;
  void* model = nullptr;
  char* text = nullptr;
  void* place = nullptr;
  client.call<void>("bs_model_construct_R", &wrong, &seed, &model, &text, &place);
  EXPECT_EQ(model, nullptr);
  ASSERT_NE(text, nullptr);
  EXPECT_EQ(place, text);
  client.call<void>("bs_free_error_msg_R", &place);
  const std::string data = files::read_text_file(kSource + "/schools.json");
  const char* right = data.c_str();
  client.call<void>("bs_model_construct_R", &right, &seed, &model, &text, &place);
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(place, nullptr);
  int no = 0, count = 0;
  client.call<void>("bs_param_num_R", &model, &no, &no, &count);
  EXPECT_EQ(count, 10);
  client.call<void>("bs_model_destruct_R", &model);
}

TEST(StanData, MustFitTheProgram) {
  const std::string message =
      message_of([] { StanTarget(library("eight_schools"), R"({"J": 8, "y": [1]})", 1); });
  EXPECT_NE(message.find("variable name=y"), std::string::npos) << message;
}

}  // namespace

}  // namespace gadwall::stan

namespace gadwall::app {
namespace {

class StanCommands : public ProgramTest {};

TEST_F(StanCommands, SampleAProgramIntoFilesWithStansNames) {
  const Outcome outcome =
      run(fmt::format("sample {} --data {}/schools.json --sampler nuts --warmup 50 --draws 20 "
                      "--chains 1 --format csv --quiet",
                      library("eight_schools"), kSource));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string header = draws("eight_schools-nuts_1.csv");
  EXPECT_NE(header.find(",mu,tau,z.1,z.2,z.3,z.4,z.5,z.6,z.7,z.8,theta.1,"), std::string::npos);
  EXPECT_NE(header.find(",theta.8,next_school\n"), std::string::npos);
}

TEST_F(StanCommands, ShowWhereAProgramIsWrong) {
  write("wrong.stan", "parameters { real mu; }\nmodel {\n  mu ~ normal(0, oops);\n}\n");
  const Outcome outcome = run("compile wrong.stan");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("gadwall: wrong.stan:3:"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("oops"), std::string::npos);
}

TEST_F(StanCommands, CompileAProgramOnce) {
  const Outcome outcome = run(fmt::format("compile {}/rejects.stan -o r.so --flags=-O1", kSource));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("it was compiled before"), std::string::npos);
  const Outcome again = run(fmt::format("compile {}/rejects.stan -o r.so --flags=-O1", kSource));
  EXPECT_EQ(again.code, 2) << "overwrote r.so";
}

}  // namespace
}  // namespace gadwall::app
