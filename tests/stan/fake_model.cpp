// A library with the interface of a compiled Stan program, by hand: two parameters, `mu` free and
// `tau` > 0, with log density -(mu^2 + log(tau)^2)/2; a transformed parameter and a random
// generated quantity. Definitions make it fail in the ways that a library can. C++14, as the
// stand-ins for Stan compile it.
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

#define EXPORT extern "C" __attribute__((visibility("default")))

#ifndef FAKE_MAJOR
#define FAKE_MAJOR 2
#endif
#ifndef FAKE_THREADS
#define FAKE_THREADS "true"
#endif

namespace {

#ifdef FAKE_NO_PARAMETERS
constexpr int kDim = 0;
#else
constexpr int kDim = 2;
#endif

/// Calls under way. More than one is what a model without threads does not survive.
std::atomic<int> inside{0};

struct Visit {
  Visit() {
    if (++inside > 1 && std::string(FAKE_THREADS) == "false") std::abort();
  }
  ~Visit() { --inside; }
};

int fail(char** error, const std::string& text) {
  *error = strdup(("fake() failed with exception: " + text + "\n").c_str());
  return -1;
}

}  // namespace

struct bs_model {
  bool rejects = false;
};

/// Moves with every draw, as a generator of Stan's does.
struct bs_rng {
  unsigned int state;
};

/// Made so far.
EXPORT std::atomic<int> fake_generators;
std::atomic<int> fake_generators{0};

#ifdef FAKE_REDUCE_SUM
EXPORT const char* fake_symbols;
const char* fake_symbols = "stan::math::internal::reduce_sum_impl";
#endif

#ifdef FAKE_LARGE_ROOM  // more than a loader has for variables at fixed places
thread_local char fake_room[1 << 20];
EXPORT char* fake_place(int i) {
  return &fake_room[i];
}
#endif

EXPORT int bs_major_version;
int bs_major_version = FAKE_MAJOR;

EXPORT bs_model* bs_model_construct(const char* data, unsigned int, char** error) {
  const std::string text = data;
  if (text.find("bad") != std::string::npos) {
    fail(error, "N is -1, but must be at least 0");
    return nullptr;
  }
  return new bs_model{text.find("reject") != std::string::npos};
}
EXPORT void bs_model_destruct(bs_model* m) {
  delete m;
}
EXPORT void bs_free_error_msg(char* error) {
  std::free(error);
}
EXPORT const char* bs_model_info(const bs_model*) {
  return "Stan C++ Defines:\n\tSTAN_THREADS=" FAKE_THREADS "\n\tBRIDGESTAN_AD_HESSIAN=true\n";
}
EXPORT const char* bs_param_names(const bs_model*, bool, bool) {
  return kDim == 0 ? "" : "mu,tau,twice.1,twice.2,noise";
}
EXPORT const char* bs_param_unc_names(const bs_model*) {
  return kDim == 0 ? "" : "mu,tau";
}
EXPORT int bs_param_num(const bs_model*, bool transformed, bool generated) {
  return kDim == 0 ? 0 : 2 + (transformed ? 2 : 0) + (generated ? 1 : 0);
}
EXPORT int bs_param_unc_num(const bs_model*) {
  return kDim;
}
#ifndef FAKE_MISSING_SYMBOL
EXPORT int bs_param_constrain(const bs_model* m, bool transformed, bool generated, const double* x,
                              double* values, bs_rng* rng, char** error) {
  const Visit visit;
  if (m->rejects && generated) return fail(error, "generated quantities: rejected");
  values[0] = x[0];
  values[1] = std::exp(x[1]);
  if (transformed) {
    values[2] = 2 * values[0];
    values[3] = 2 * values[1];
  }
  if (generated) values[4] = rng->state = rng->state * 1664525U + 1013904223U;
  return 0;
}
#endif
EXPORT int bs_param_unconstrain(const bs_model*, const double* values, double* x, char** error) {
  if (!(values[1] > 0)) return fail(error, "tau is not positive");
  x[0] = values[0];
  x[1] = std::log(values[1]);
  return 0;
}
EXPORT int bs_log_density_gradient(const bs_model* m, bool, bool, const double* x, double* logp,
                                   double* grad, char** error) {
  const Visit visit;
  if (m->rejects && x[0] < 0) return fail(error, "mu is negative");
  *logp = -0.5 * (x[0] * x[0] + x[1] * x[1]);
  grad[0] = -x[0];
  grad[1] = -x[1];
  return 0;
}
EXPORT int bs_log_density(const bs_model* m, bool propto, bool jacobian, const double* x,
                          double* logp, char** error) {
  double grad[2];
  return bs_log_density_gradient(m, propto, jacobian, x, logp, grad, error);
}
EXPORT int bs_log_density_hessian_vector_product(const bs_model*, bool, bool, const double*,
                                                 const double* v, double*, double* product,
                                                 char**) {
  product[0] = -v[0];
  product[1] = -v[1];
  return 0;
}
EXPORT bs_rng* bs_rng_construct(unsigned int seed, char**) {
  ++fake_generators;
  return new bs_rng{seed};
}
EXPORT void bs_rng_destruct(bs_rng* rng) {
  delete rng;
}
EXPORT int bs_set_print_callback(void (*)(const char*, std::size_t), char**) {
  return 0;
}
