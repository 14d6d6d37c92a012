// Stan's own NUTS (stan::services, as CmdStan and rstan call it) on a library made by `gadwall
// compile`, so that no program has to be compiled a second time for the comparison.
//   stan_nuts LIBRARY DATA.json diag|dense SEED PREFIX uniform|normal [CHAINS WARMUP DRAWS]
// writes PREFIX_1.csv, PREFIX_2.csv, ... with the draws, and prints {"warmup": ..., "gradients":
// ...}: the leapfrog steps of all chains, in warm-up and in all. Starts: uniform in (-2, 2), Stan's
// own, or N(0, 1), the paper's.
#include <dlfcn.h>

#include <fstream>
#include <iomanip>
#include <iostream>
#include <random>
#include <sstream>
#include <stan/callbacks/interrupt.hpp>
#include <stan/callbacks/logger.hpp>
#include <stan/callbacks/writer.hpp>
#include <stan/io/array_var_context.hpp>
#include <stan/io/empty_var_context.hpp>
#include <stan/math.hpp>
#include <stan/services/sample/hmc_nuts_dense_e_adapt.hpp>
#include <stan/services/sample/hmc_nuts_diag_e_adapt.hpp>

namespace {

using Names = std::vector<std::string>;
using Values = std::vector<double>;

/// BridgeStan's C interface as a model class of stan::services. To Stan it has one parameter, `x`,
/// the whole unconstrained vector; its draws have the program's names.
class Model {
 public:
  Model(const std::string& library, const std::string& data) {
    handle_ = dlopen(library.c_str(), RTLD_NOW);
    if (handle_ == nullptr) throw std::runtime_error(dlerror());
    load("bs_param_constrain", constrain_);
    load("bs_log_density", density_);
    load("bs_log_density_gradient", gradient_);
    void* (*construct)(const char*, unsigned, char**);
    int (*dim)(const void*);
    const char* (*names)(const void*, bool, bool);
    load("bs_model_construct", construct);
    load("bs_param_unc_num", dim);
    load("bs_param_names", names);
    char* error = nullptr;
    model_ = construct(data.c_str(), 1, &error);
    if (model_ == nullptr) throw std::runtime_error(error);
    dim_ = dim(model_);
    for (int transformed : {0, 1}) {
      std::istringstream all(names(model_, transformed != 0, false));
      for (std::string name; std::getline(all, name, ',');) names_[transformed].push_back(name);
    }
  }

  size_t num_params_r() const { return dim_; }
  void get_param_names(Names& names) const { names = {"x"}; }
  void get_dims(std::vector<std::vector<size_t>>& dims) const { dims = {{names_[0].size()}}; }
  void constrained_param_names(Names& names, bool transformed, bool) const {
    names.insert(names.end(), names_[transformed].begin(), names_[transformed].end());
  }
  void unconstrained_param_names(Names& names, bool, bool) const {
    names.resize(names.size() + dim_, "x");
  }

  void transform_inits(const stan::io::var_context& start, std::vector<int>&, Values& x,
                       std::ostream*) const {
    x = start.vals_r("x");
  }

  template <class Rng>
  void write_array(Rng&, Values& x, std::vector<int>&, Values& values, bool transformed, bool,
                   std::ostream*) const {
    values.resize(names_[transformed].size());
    char* error = nullptr;
    check(constrain_(model_, transformed, false, x.data(), values.data(), nullptr, &error), error);
  }

  template <bool propto, bool jacobian, class T>
  T log_prob(std::vector<T>& x, std::vector<int>&, std::ostream*) const {
    return value<propto, jacobian>(x);
  }

  template <bool propto, bool jacobian, class T>
  T log_prob(Eigen::Matrix<T, -1, 1>& x, std::ostream*) const {
    return value<propto, jacobian>(std::vector<T>(x.data(), x.data() + x.size()));
  }

 private:
  template <class Function>
  void load(const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(handle_, name));
    if (function == nullptr) throw std::runtime_error(dlerror());
  }

  /// What the program rejects is a rejected proposal to Stan.
  static void check(int code, const char* error) {
    if (code != 0) throw std::domain_error(error == nullptr ? "rejected" : error);
  }

  template <bool propto, bool jacobian>
  double value(const Values& x) const {
    double result = 0;
    char* error = nullptr;
    check(density_(model_, propto, jacobian, x.data(), &result, &error), error);
    return result;
  }

  template <bool propto, bool jacobian>
  stan::math::var value(const std::vector<stan::math::var>& x) const {
    const Values at = stan::math::value_of(x);
    Values gradient(dim_);
    double result = 0;
    char* error = nullptr;
    check(gradient_(model_, propto, jacobian, at.data(), &result, gradient.data(), &error), error);
    return stan::math::precomputed_gradients(result, x, gradient);
  }

  void* handle_ = nullptr;
  void* model_ = nullptr;
  size_t dim_ = 0;
  Names names_[2];  // without and with transformed parameters
  int (*constrain_)(const void*, bool, bool, const double*, double*, void*, char**);
  int (*density_)(const void*, bool, bool, const double*, double*, char**);
  int (*gradient_)(const void*, bool, bool, const double*, double*, double*, char**);
};

struct Gradients {
  long warmup = 0, sampling = 0;
};

/// Keeps the rows after warm-up and counts the leapfrog steps of all.
class Draws : public stan::callbacks::writer {
 public:
  Draws(const std::string& file, int warmup) : out_(file), warmup_(warmup) {
    out_ << std::setprecision(10);
  }

  void operator()(const Names& names) override {
    steps_ = std::find(names.begin(), names.end(), "n_leapfrog__") - names.begin();
    for (size_t i = 0; i < names.size(); ++i) out_ << (i == 0 ? "" : ",") << names[i];
    out_ << '\n';
  }

  void operator()(const Values& row) override {
    const bool warming = ++rows_ <= warmup_;
    (warming ? gradients.warmup : gradients.sampling) += static_cast<long>(row[steps_]);
    if (warming) return;
    for (size_t i = 0; i < row.size(); ++i) out_ << (i == 0 ? "" : ",") << row[i];
    out_ << '\n';
  }

  Gradients gradients;

 private:
  std::ofstream out_;
  size_t steps_ = 0;
  int rows_ = 0;
  int warmup_;
};

Values normal_start(size_t dim, unsigned seed, int chain) {
  std::mt19937_64 source(1000003ULL * seed + chain);
  std::normal_distribution<double> normal;
  Values x(dim);
  for (double& value : x) value = normal(source);
  return x;
}

struct Plan {
  std::string metric;
  unsigned seed;
  std::string prefix;
  bool normal;
  int chains, warmup, draws;
};

/// Stan's defaults throughout: delta .8, depth 10, windows 75, 25 and 50.
Gradients run_chain(Model& model, const Plan& plan, int chain) {
  Draws draws(plan.prefix + "_" + std::to_string(chain) + ".csv", plan.warmup);
  stan::callbacks::interrupt interrupt;
  stan::callbacks::logger logger;
  stan::callbacks::writer nothing;
  stan::io::empty_var_context everywhere;
  stan::io::array_var_context given(Names{"x"},
                                    normal_start(model.num_params_r(), plan.seed, chain),
                                    std::vector<std::vector<size_t>>{{model.num_params_r()}});
  stan::io::var_context& start = plan.normal ? static_cast<stan::io::var_context&>(given)
                                             : static_cast<stan::io::var_context&>(everywhere);
  auto run = [&](auto method) {
    return method(model, start, plan.seed, chain, 2, plan.warmup, plan.draws, 1, true, 0, 1, 0, 10,
                  0.8, 0.05, 0.75, 10, 75, 50, 25, interrupt, logger, nothing, draws, nothing);
  };
  using Method =
      int (*)(Model&, stan::io::var_context&, unsigned, unsigned, double, int, int, int, bool, int,
              double, double, int, double, double, double, double, unsigned, unsigned, unsigned,
              stan::callbacks::interrupt&, stan::callbacks::logger&, stan::callbacks::writer&,
              stan::callbacks::writer&, stan::callbacks::writer&);
  const int code = plan.metric == "dense"
                       ? run(static_cast<Method>(stan::services::sample::hmc_nuts_dense_e_adapt))
                       : run(static_cast<Method>(stan::services::sample::hmc_nuts_diag_e_adapt));
  if (code != 0) throw std::runtime_error("Stan's NUTS ended with code " + std::to_string(code));
  return draws.gradients;
}

}  // namespace

int main(int count, char** argument) try {
  if (count != 7 && count != 10) {
    std::cerr << "stan_nuts LIBRARY DATA.json diag|dense SEED PREFIX uniform|normal [CHAINS WARMUP "
                 "DRAWS]\n";
    return 2;
  }
  const auto number = [&](int i, int otherwise) {
    return count > i ? std::stoi(argument[i]) : otherwise;
  };
  std::stringstream data;
  data << std::ifstream(argument[2]).rdbuf();
  static thread_local stan::math::ChainableStack stack;
  Model model(argument[1], data.str());
  const Plan plan{argument[3],    static_cast<unsigned>(std::stoul(argument[4])),
                  argument[5],    std::string(argument[6]) == "normal",
                  number(7, 4),   number(8, 1000),
                  number(9, 1000)};
  Gradients sum;
  for (int chain = 1; chain <= plan.chains; ++chain) {
    const Gradients chains = run_chain(model, plan, chain);
    sum.warmup += chains.warmup;
    sum.sampling += chains.sampling;
  }
  std::cout << "{\"warmup\": " << sum.warmup << ", \"gradients\": " << sum.warmup + sum.sampling
            << "}\n";
  return 0;
} catch (const std::exception& error) {
  std::cerr << "stan_nuts: " << error.what() << '\n';
  return 1;
}
