// BridgeStan's C interface for a model class that Stan's compiler made. C++14: it is compiled with
// the headers of the user's Stan installation (2.21 or later) and linked to each model.
#include "model.hpp"

#define GADWALL_EXPORT extern "C" __attribute__((visibility("default")))

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

GADWALL_EXPORT const char* bs_name(const bs_model* m) {
  return m->name.c_str();
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
    static const bs_rng unused(1);  // to make one takes longer than a small density
    bs_rng copy = unused;
    Messages messages;
    Eigen::VectorXd point = m->point(x);
    Eigen::VectorXd result;
    m->model->write_array((rng == nullptr ? copy : *rng).generator, point, result, transformed,
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
  return guarded(error, [&] { *logp = gradient(*m, propto, jacobian, m->point(x), grad); });
}

GADWALL_EXPORT int bs_log_density_hessian(const bs_model* m, bool propto, bool jacobian,
                                          const double* x, double* logp, double* grad,
                                          double* hessian, char** error) {
  return guarded(error, [&] {
    const Eigen::VectorXd point = m->point(x);
    *logp = gradient(*m, propto, jacobian, point, grad);
    Eigen::MatrixXd columns(m->dim, m->dim);
    for (int i = 0; i < m->dim; ++i) {
      hessian_times(*m, propto, jacobian, point, Eigen::VectorXd::Unit(m->dim, i),
                    columns.col(i).data());
    }
    const Eigen::MatrixXd symmetric = 0.5 * (columns + columns.transpose());
    std::copy(symmetric.data(), symmetric.data() + symmetric.size(), hessian);
  });
}

GADWALL_EXPORT int bs_log_density_hessian_vector_product(const bs_model* m, bool propto,
                                                         bool jacobian, const double* x,
                                                         const double* v, double* logp,
                                                         double* product, char** error) {
  return guarded(error, [&] {
    Eigen::VectorXd unused(m->dim);
    *logp = gradient(*m, propto, jacobian, m->point(x), unused.data());
    hessian_times(*m, propto, jacobian, m->point(x), m->point(v), product);
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

#include "calls_of_r.hpp"
