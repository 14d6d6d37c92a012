// BridgeStan's C interface for a model class that Stan's compiler made. C++14: it is compiled with
// the headers of the user's Stan installation (2.21 or later) and linked to each model.
#include <cstring>
#include <iostream>
#include <memory>
#include <mutex>
#include <stan/model/model_header.hpp>
#include <stan/services/util/create_rng.hpp>

#include "json_context.hpp"

#define GADWALL_EXPORT extern "C" __attribute__((visibility("default")))

/// Defined by the generated code.
stan::model::model_base& new_model(stan::io::var_context& data, unsigned int seed,
                                   std::ostream* messages);

namespace {

using Print = void (*)(const char* text, std::size_t size);

Print print = nullptr;
std::mutex print_mutex;

/// What print() of a program says during one call. To make a stream costs as much as a small
/// density, so every thread keeps one.
class Messages {
 public:
  ~Messages() {
    if (stream_.tellp() <= 0) return;
    const std::string text = stream_.str();
    stream_.str("");
    const std::lock_guard<std::mutex> lock(print_mutex);
    if (print != nullptr) {
      print(text.data(), text.size());
    } else {
      std::cout << text << std::flush;
    }
  }
  std::ostream* stream() { return &stream_; }

 private:
  static thread_local std::ostringstream stream_;
};

thread_local std::ostringstream Messages::stream_;

/// Automatic differentiation needs a stack of its own in every thread.
void prepare_thread() {
#ifdef STAN_THREADS
  static thread_local stan::math::ChainableStack stack;
  (void)stack;
#endif
}

std::string joined(const std::vector<std::string>& names) {
  std::string result;
  for (const std::string& name : names) result += (result.empty() ? "" : ",") + name;
  return result;
}

/// Runs the body; an exception becomes -1 and its text.
template <class Body>
int guarded(char** error, const Body& body) {
  std::string text;
  try {
    prepare_thread();
    body();
    return 0;
  } catch (const std::exception& e) {
    text = e.what();
  } catch (...) {
    text = "an exception that is not a std::exception";
  }
  if (error != nullptr) *error = strdup(text.c_str());
  return -1;
}

}  // namespace

struct bs_rng {
  explicit bs_rng(unsigned int seed) : generator(stan::services::util::create_rng(seed, 1)) {}
  decltype(stan::services::util::create_rng(1U, 1U)) generator;
};

struct bs_model {
  bs_model(const char* data, unsigned int seed) {
    Messages messages;
    const auto context = gadwall_stan::context_of(data == nullptr ? "" : data);
    model.reset(&new_model(*context, seed, messages.stream()));
    for (const bool transformed : {false, true}) {
      for (const bool generated : {false, true}) {
        std::vector<std::string> list;
        model->constrained_param_names(list, transformed, generated);
        counts[transformed][generated] = static_cast<int>(list.size());
        names[transformed][generated] = joined(list);
      }
    }
    std::vector<std::string> list;
    model->unconstrained_param_names(list, false, false);
    dim = static_cast<int>(list.size());
    coordinate_names = joined(list);
    info = "gadwall's bridge\nStan version: " + stan::MAJOR_VERSION + "." + stan::MINOR_VERSION +
           "." + stan::PATCH_VERSION + "\nStan C++ Defines:\n\tSTAN_THREADS=";
#ifdef STAN_THREADS
    info += "true\n";
#else
    info += "false\n";
#endif
  }

  Eigen::VectorXd point(const double* x) const {
    return Eigen::Map<const Eigen::VectorXd>(x, dim);
  }

  std::unique_ptr<stan::model::model_base> model;
  int dim = 0;
  int counts[2][2];  // by transformed, generated
  std::string names[2][2];
  std::string coordinate_names;
  std::string info;
};

namespace {

using VarVector = Eigen::Matrix<stan::math::var, Eigen::Dynamic, 1>;

/// The tape is released whatever happens.
struct Tape {
  ~Tape() { stan::math::recover_memory(); }
};

stan::math::var taped_density(const bs_model& m, bool propto, bool jacobian, VarVector& x) {
  Messages messages;
  std::ostream* stream = messages.stream();
  if (propto) {
    return jacobian ? m.model->log_prob_propto_jacobian(x, stream)
                    : m.model->log_prob_propto(x, stream);
  }
  return jacobian ? m.model->log_prob_jacobian(x, stream) : m.model->log_prob(x, stream);
}

#ifdef GADWALL_RECENT_STAN

void unconstrain(const bs_model& m, const double* values, Eigen::VectorXd& x,
                 std::ostream* messages) {
  const Eigen::VectorXd all = Eigen::Map<const Eigen::VectorXd>(values, m.counts[0][0]);
  m.model->unconstrain_array(all, x, messages);
}

#else

/// The values of the parameters by name, for Stan's own transformation.
gadwall_stan::Variables by_name(const bs_model& m, const double* values) {
  std::vector<std::string> names;
  std::vector<std::vector<size_t>> dims;
  m.model->get_param_names(names);
  m.model->get_dims(dims);
  gadwall_stan::Variables variables;
  std::size_t at = 0;
  const auto end = static_cast<std::size_t>(m.counts[0][0]);
  for (std::size_t i = 0; i < names.size() && at < end; ++i) {
    std::size_t count = 1;
    for (const size_t length : dims[i]) count *= length;
    gadwall_stan::Variable& variable = variables[names[i]];
    variable.dims = dims[i];
    variable.is_integer = false;
    variable.values.assign(values + at, values + at + count);
    at += count;
  }
  return variables;
}

void unconstrain(const bs_model& m, const double* values, Eigen::VectorXd& x,
                 std::ostream* messages) {
  m.model->transform_inits(gadwall_stan::JsonContext(by_name(m, values)), x, messages);
}

#endif

}  // namespace

GADWALL_EXPORT int bs_major_version;
GADWALL_EXPORT int bs_minor_version;
GADWALL_EXPORT int bs_patch_version;
int bs_major_version = 2;
int bs_minor_version = 0;
int bs_patch_version = 0;

GADWALL_EXPORT bs_model* bs_model_construct(const char* data, unsigned int seed, char** error) {
  bs_model* result = nullptr;
  guarded(error, [&] { result = new bs_model(data, seed); });
  return result;
}

GADWALL_EXPORT void bs_model_destruct(bs_model* m) {
  delete m;
}

GADWALL_EXPORT void bs_free_error_msg(char* error) {
  free(error);
}

GADWALL_EXPORT const char* bs_model_info(const bs_model* m) {
  return m->info.c_str();
}

GADWALL_EXPORT const char* bs_param_names(const bs_model* m, bool transformed, bool generated) {
  return m->names[transformed][generated].c_str();
}

GADWALL_EXPORT const char* bs_param_unc_names(const bs_model* m) {
  return m->coordinate_names.c_str();
}

GADWALL_EXPORT int bs_param_num(const bs_model* m, bool transformed, bool generated) {
  return m->counts[transformed][generated];
}

GADWALL_EXPORT int bs_param_unc_num(const bs_model* m) {
  return m->dim;
}

GADWALL_EXPORT int bs_param_constrain(const bs_model* m, bool transformed, bool generated,
                                      const double* x, double* values, bs_rng* rng, char** error) {
  return guarded(error, [&] {
    if (generated && rng == nullptr) throw std::invalid_argument("generated quantities need a rng");
    bs_rng unused(1);
    Messages messages;
    Eigen::VectorXd point = m->point(x);
    Eigen::VectorXd result;
    m->model->write_array((rng == nullptr ? unused : *rng).generator, point, result, transformed,
                          generated, messages.stream());
    std::copy(result.data(), result.data() + result.size(), values);
  });
}

GADWALL_EXPORT int bs_param_unconstrain(const bs_model* m, const double* values, double* x,
                                        char** error) {
  return guarded(error, [&] {
    Messages messages;
    Eigen::VectorXd result;
    unconstrain(*m, values, result, messages.stream());
    std::copy(result.data(), result.data() + result.size(), x);
  });
}

GADWALL_EXPORT int bs_param_unconstrain_json(const bs_model* m, const char* json, double* x,
                                             char** error) {
  return guarded(error, [&] {
    Messages messages;
    Eigen::VectorXd result;
    m->model->transform_inits(*gadwall_stan::context_of(json), result, messages.stream());
    std::copy(result.data(), result.data() + result.size(), x);
  });
}

/// On the tape also without a gradient: constants are known from variables by their type.
GADWALL_EXPORT int bs_log_density(const bs_model* m, bool propto, bool jacobian, const double* x,
                                  double* logp, char** error) {
  return guarded(error, [&] {
    const Tape tape;
    VarVector point = m->point(x).cast<stan::math::var>();
    *logp = taped_density(*m, propto, jacobian, point).val();
  });
}

GADWALL_EXPORT int bs_log_density_gradient(const bs_model* m, bool propto, bool jacobian,
                                           const double* x, double* logp, double* grad,
                                           char** error) {
  return guarded(error, [&] {
    const Tape tape;
    VarVector point = m->point(x).cast<stan::math::var>();
    stan::math::var density = taped_density(*m, propto, jacobian, point);
    *logp = density.val();
    stan::math::grad(density.vi_);
    for (int i = 0; i < m->dim; ++i) grad[i] = point[i].adj();
  });
}

GADWALL_EXPORT bs_rng* bs_rng_construct(unsigned int seed, char** error) {
  bs_rng* result = nullptr;
  guarded(error, [&] { result = new bs_rng(seed); });
  return result;
}

GADWALL_EXPORT void bs_rng_destruct(bs_rng* rng) {
  delete rng;
}

GADWALL_EXPORT int bs_set_print_callback(Print callback, char**) {
  const std::lock_guard<std::mutex> lock(print_mutex);
  print = callback;
  return 0;
}
