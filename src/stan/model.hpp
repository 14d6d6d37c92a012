// A compiled Stan program: a shared library with BridgeStan's C interface, and its data.
//
// The interface is that of BridgeStan 2 (https://roualdes.us/bridgestan, bridgestan.h); `gadwall
// compile` makes such libraries too.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gadwall/types.hpp"

struct bs_model;  // the library's own
struct bs_rng;

namespace gadwall::stan {

/// The functions of a library, by their names without bs_.
struct StanInterface {
  bs_model* (*model_construct)(const char* data, unsigned int seed, char** error);
  void (*model_destruct)(bs_model*);
  void (*free_error_msg)(char*);
  const char* (*model_info)(const bs_model*);
  const char* (*param_names)(const bs_model*, bool transformed, bool generated);
  const char* (*param_unc_names)(const bs_model*);
  int (*param_num)(const bs_model*, bool transformed, bool generated);
  int (*param_unc_num)(const bs_model*);
  int (*param_constrain)(const bs_model*, bool transformed, bool generated, const double* x,
                         double* values, bs_rng*, char** error);
  int (*param_unconstrain)(const bs_model*, const double* values, double* x, char** error);
  int (*log_density)(const bs_model*, bool propto, bool jacobian, const double* x, double* logp,
                     char** error);
  int (*log_density_gradient)(const bs_model*, bool propto, bool jacobian, const double* x,
                              double* logp, double* grad, char** error);
  bs_rng* (*rng_construct)(unsigned int seed, char** error);
  void (*rng_destruct)(bs_rng*);
  int (*set_print_callback)(void (*print)(const char* text, std::size_t size), char** error);
};

/// Safe to use from several threads: a model that was compiled without threads takes one at a time.
/// Every function but the constructor throws std::runtime_error with the model's own message where
/// the model does.
class StanModel {
 public:
  /// data: Stan's JSON as text, may be empty; seed: of random numbers in `transformed data`.
  /// UsageError where the file is no such library, or the model does not take the data.
  StanModel(const std::string& library, const std::string& data, unsigned int seed);

  Index dim() const { return dim_; }
  bool has_threads() const { return has_threads_; }
  /// False where reduce_sum may add in another order each time.
  bool sums_in_order() const { return sums_in_order_; }
  bool has_generated() const { return with_generated_ > with_transformed_; }

  /// How many values: parameters, and transformed parameters, and generated quantities.
  Index parameters() const { return parameters_; }
  Index with_transformed() const { return with_transformed_; }
  Index with_generated() const { return with_generated_; }

  std::vector<std::string> coordinate_names() const;
  /// Of all values; the parameters come first, then the transformed ones, then the generated.
  std::vector<std::string> value_names() const;

  double log_density(const double* x) const;
  double gradient(const double* x, double* grad) const;

  /// Of the random numbers in generated quantities.
  using Generator = std::unique_ptr<bs_rng, void (*)(bs_rng*)>;
  Generator no_generator() const { return {nullptr, call_.rng_destruct}; }
  /// Costs as much as ten small gradients.
  Generator generator(unsigned int seed) const;

  enum class Values { parameters, with_transformed, with_generated };
  /// Generated quantities need a generator.
  void constrain(const double* x, Values which, bs_rng* generator, double* values) const;

  /// x from the values of the parameters alone.
  void unconstrain(const double* values, double* x) const;

 private:
  /// A function whose last argument is the place of an error.
  template <class Function, class... Arguments>
  void call_model(Function function, Arguments... arguments) const;
  std::string message(char* error) const;

  StanInterface call_;
  std::unique_ptr<bs_model, void (*)(bs_model*)> model_;
  Index dim_ = 0;
  Index parameters_ = 0;
  Index with_transformed_ = 0;
  Index with_generated_ = 0;
  bool has_threads_ = false;
  bool sums_in_order_ = true;
  mutable std::mutex mutex_;
};

}  // namespace gadwall::stan
