// BridgeStan's C interface for R's .C(), which passes pointers alone: every call hands on to the
// one without _R. R copies strings, so that the place of a message comes a second time, to be
// freed.
#pragma once

namespace {

/// The call's own place for a message, which both of R's then point to.
class ErrorForR {
 public:
  ErrorForR(char** text, void** place) : text_(text), place_(place) {}
  ~ErrorForR() {
    if (error_ != nullptr) *text_ = error_;
    *place_ = error_;
  }
  char** place() { return &error_; }

 private:
  char* error_ = nullptr;
  char** text_;
  void** place_;
};

}  // namespace

GADWALL_EXPORT void bs_version_R(int* major, int* minor, int* patch) {
  *major = bs_major_version;
  *minor = bs_minor_version;
  *patch = bs_patch_version;
}

GADWALL_EXPORT void bs_model_construct_R(char** data, int* seed, bs_model** m, char** text,
                                         void** place) {
  ErrorForR error(text, place);
  *m = bs_model_construct(*data, static_cast<unsigned int>(*seed), error.place());
}

GADWALL_EXPORT void bs_model_destruct_R(bs_model** m) {
  bs_model_destruct(*m);
}

GADWALL_EXPORT void bs_free_error_msg_R(void** place) {
  bs_free_error_msg(static_cast<char*>(*place));
}

GADWALL_EXPORT void bs_name_R(bs_model** m, const char** name) {
  *name = bs_name(*m);
}

GADWALL_EXPORT void bs_model_info_R(bs_model** m, const char** info) {
  *info = bs_model_info(*m);
}

GADWALL_EXPORT void bs_param_names_R(bs_model** m, int* transformed, int* generated,
                                     const char** names) {
  *names = bs_param_names(*m, *transformed != 0, *generated != 0);
}

GADWALL_EXPORT void bs_param_unc_names_R(bs_model** m, const char** names) {
  *names = bs_param_unc_names(*m);
}

GADWALL_EXPORT void bs_param_num_R(bs_model** m, int* transformed, int* generated, int* count) {
  *count = bs_param_num(*m, *transformed != 0, *generated != 0);
}

GADWALL_EXPORT void bs_param_unc_num_R(bs_model** m, int* count) {
  *count = bs_param_unc_num(*m);
}

/// Without generated quantities R passes a number for the generator, which is not looked at.
GADWALL_EXPORT void bs_param_constrain_R(bs_model** m, int* transformed, int* generated,
                                         const double* x, double* values, bs_rng** rng, int* code,
                                         char** text, void** place) {
  ErrorForR error(text, place);
  *code = bs_param_constrain(*m, *transformed != 0, *generated != 0, x, values,
                             *generated != 0 ? *rng : nullptr, error.place());
}

GADWALL_EXPORT void bs_param_unconstrain_R(bs_model** m, const double* values, double* x, int* code,
                                           char** text, void** place) {
  ErrorForR error(text, place);
  *code = bs_param_unconstrain(*m, values, x, error.place());
}

GADWALL_EXPORT void bs_param_unconstrain_json_R(bs_model** m, const char** json, double* x,
                                                int* code, char** text, void** place) {
  ErrorForR error(text, place);
  *code = bs_param_unconstrain_json(*m, *json, x, error.place());
}

GADWALL_EXPORT void bs_log_density_R(bs_model** m, int* propto, int* jacobian, const double* x,
                                     double* logp, int* code, char** text, void** place) {
  ErrorForR error(text, place);
  *code = bs_log_density(*m, *propto != 0, *jacobian != 0, x, logp, error.place());
}

GADWALL_EXPORT void bs_log_density_gradient_R(bs_model** m, int* propto, int* jacobian,
                                              const double* x, double* logp, double* grad,
                                              int* code, char** text, void** place) {
  ErrorForR error(text, place);
  *code = bs_log_density_gradient(*m, *propto != 0, *jacobian != 0, x, logp, grad, error.place());
}

GADWALL_EXPORT void bs_log_density_hessian_R(bs_model** m, int* propto, int* jacobian,
                                             const double* x, double* logp, double* grad,
                                             double* hessian, int* code, char** text,
                                             void** place) {
  ErrorForR error(text, place);
  *code = bs_log_density_hessian(*m, *propto != 0, *jacobian != 0, x, logp, grad, hessian,
                                 error.place());
}

GADWALL_EXPORT void bs_log_density_hessian_vector_product_R(bs_model** m, int* propto,
                                                            int* jacobian, const double* x,
                                                            const double* v, double* logp,
                                                            double* product, int* code, char** text,
                                                            void** place) {
  ErrorForR error(text, place);
  *code = bs_log_density_hessian_vector_product(*m, *propto != 0, *jacobian != 0, x, v, logp,
                                                product, error.place());
}

GADWALL_EXPORT void bs_rng_construct_R(int* seed, bs_rng** rng, char** text, void** place) {
  ErrorForR error(text, place);
  *rng = bs_rng_construct(static_cast<unsigned int>(*seed), error.place());
}

GADWALL_EXPORT void bs_rng_destruct_R(bs_rng** rng) {
  bs_rng_destruct(*rng);
}
