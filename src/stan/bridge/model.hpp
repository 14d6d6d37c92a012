// A model class that Stan's compiler made, with what the calls of the interface have in common.
#pragma once

#define TBB_PREVIEW_GLOBAL_CONTROL 1  // for the TBB of older installations
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>
#include <stan/io/array_var_context.hpp>
#include <stan/model/model_header.hpp>
#include <stan/services/util/create_rng.hpp>

#include "json_context.hpp"
#ifdef GADWALL_RECENT_STAN
#include <tbb/global_control.h>
#endif

/// Defined by the generated code.
stan::model::model_base& new_model(stan::io::var_context& data, unsigned int seed,
                                   std::ostream* messages);

namespace {

using Print = void (*)(const char* text, std::size_t size);

Print print = nullptr;
std::mutex print_mutex;

/// What print() of a program says during one call. To make a stream costs as much as a small
/// density, so every thread keeps one; a pointer to it, as room for thread-local variables at fixed
/// places is scarce.
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
  static std::ostringstream& own_stream() {
    static thread_local std::unique_ptr<std::ostringstream> stream(new std::ostringstream);
    return *stream;
  }

  std::ostringstream& stream_ = own_stream();
};

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

namespace {

/// The sums of reduce_sum are split by load among the threads there are, which changes their last
/// digits, and with them the draws: one thread, that of the caller, keeps them in order.
void keep_sums_in_order() {
#ifdef GADWALL_RECENT_STAN
  static tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
  (void)one_thread;
#endif
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Data are JSON or the path of a file, FILE.json.
std::string json_of(const char* data) {
  const std::string text = data == nullptr ? "" : data;
  if (!ends_with(text, ".json")) return text;
  std::ifstream file(text);
  if (!file) throw std::invalid_argument(text + " cannot be read");
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

struct bs_rng {
  explicit bs_rng(unsigned int seed) : generator(stan::services::util::create_rng(seed, 1)) {}
  decltype(stan::services::util::create_rng(1U, 1U)) generator;
};

struct bs_model {
  bs_model(const char* data, unsigned int seed) {
    keep_sums_in_order();
    Messages messages;
    const auto context = gadwall_stan::context_of(json_of(data));
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
    name = model->model_name();
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
  std::string name;
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

double gradient(const bs_model& m, bool propto, bool jacobian, const Eigen::VectorXd& x,
                double* grad) {
  const Tape tape;
  VarVector point = x.cast<stan::math::var>();
  stan::math::var density = taped_density(m, propto, jacobian, point);
  const double value = density.val();
  stan::math::grad(density.vi_);
  for (int i = 0; i < m.dim; ++i) grad[i] = point[i].adj();
  return value;
}

/// H v ~ (g(x + h v) - g(x - h v)) / (2 h), with h |v| near eps^(1/3) times the scale of x, where
/// the errors of the difference and of rounding are alike.
void hessian_times(const bs_model& m, bool propto, bool jacobian, const Eigen::VectorXd& x,
                   const Eigen::VectorXd& v, double* product) {
  Eigen::Map<Eigen::VectorXd> result(product, m.dim);
  const double length = v.norm();
  result.setZero();
  if (length == 0) return;
  const double h = 6e-6 * (1 + x.norm() / std::sqrt(static_cast<double>(m.dim))) / length;
  Eigen::VectorXd after(m.dim), before(m.dim);
  gradient(m, propto, jacobian, x + h * v, after.data());
  gradient(m, propto, jacobian, x - h * v, before.data());
  result = (after - before) / (2 * h);
}

#if STAN_MAJOR > 2 || STAN_MINOR >= 33

void unconstrain(const bs_model& m, const double* values, Eigen::VectorXd& x,
                 std::ostream* messages) {
  const Eigen::VectorXd all = Eigen::Map<const Eigen::VectorXd>(values, m.counts[0][0]);
  m.model->unconstrain_array(all, x, messages);
}

#else

/// By the names of the parameters, which come before those of other values.
void unconstrain(const bs_model& m, const double* values, Eigen::VectorXd& x,
                 std::ostream* messages) {
  std::vector<std::string> names;
  std::vector<std::vector<size_t>> dims;
  m.model->get_param_names(names);
  m.model->get_dims(dims);
  std::size_t count = 0;
  std::size_t used = 0;
  for (; count < names.size() && used < static_cast<std::size_t>(m.counts[0][0]); ++count) {
    std::size_t size = 1;
    for (const size_t length : dims[count]) size *= length;
    used += size;
  }
  names.resize(count);
  dims.resize(count);
  const std::vector<double> all(values, values + used);
  m.model->transform_inits(stan::io::array_var_context(names, all, dims), x, messages);
}

#endif

}  // namespace
