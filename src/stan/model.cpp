#include "stan/model.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string_view>

#include "files/atomic_file.hpp"
#include "gadwall/error.hpp"
#include "gadwall/host.hpp"

namespace gadwall::stan {
namespace {

constexpr int kInterfaceVersion = 2;  // BridgeStan's major version
constexpr bool kPropto = true;        // constants are left out, as in CmdStan's lp__
constexpr bool kJacobian = true;

/// Symbols of one library. It is never unloaded: threads may still hold thread-local objects whose
/// destructors are in it.
class Library {
 public:
  explicit Library(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
      throw UsageError(fmt::format("there is no library {}", path));
    }
    // With a slash in it the name is a path, never looked up elsewhere.
    handle_ = dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) {
      throw UsageError(fmt::format("not a library that can be loaded: {}", dlerror()));
    }
  }

  void* find(const std::string& name) const { return dlsym(handle_, name.c_str()); }

  void* need(const std::string& name) const {
    if (void* symbol = find(name)) return symbol;
    throw UsageError(
        fmt::format("the library has no symbol {}, expected a Stan program compiled by "
                    "`gadwall compile` or BridgeStan {}",
                    name, kInterfaceVersion));
  }

  template <class Function>
  void need(Function*& function, const std::string& name) const {
    function = reinterpret_cast<Function*>(need(name));
  }

 private:
  void* handle_;
};

StanInterface load(const std::string& path) {
  const Library library(path);
  const int version = *static_cast<const int*>(library.need("bs_major_version"));
  if (version != kInterfaceVersion) {
    throw UsageError(fmt::format("made by BridgeStan {}, expected BridgeStan {}; compile it again",
                                 version, kInterfaceVersion));
  }
  StanInterface call{};
  library.need(call.model_construct, "bs_model_construct");
  library.need(call.model_destruct, "bs_model_destruct");
  library.need(call.free_error_msg, "bs_free_error_msg");
  library.need(call.model_info, "bs_model_info");
  library.need(call.param_names, "bs_param_names");
  library.need(call.param_unc_names, "bs_param_unc_names");
  library.need(call.param_num, "bs_param_num");
  library.need(call.param_unc_num, "bs_param_unc_num");
  library.need(call.param_constrain, "bs_param_constrain");
  library.need(call.param_unconstrain, "bs_param_unconstrain");
  library.need(call.log_density, "bs_log_density");
  library.need(call.log_density_gradient, "bs_log_density_gradient");
  library.need(call.rng_construct, "bs_rng_construct");
  library.need(call.rng_destruct, "bs_rng_destruct");
  library.need(call.set_print_callback, "bs_set_print_callback");
  return call;
}

/// What print() of a program says.
void print_to_log(const char* text, std::size_t size) {
  say(MessageKind::note, std::string(text, size));
}

std::vector<std::string> split(std::string_view names) {
  std::vector<std::string> result;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(','), names.size());
    result.emplace_back(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return result;
}

}  // namespace

StanModel::StanModel(const std::string& library, const std::string& data, unsigned int seed)
    : call_(load(library)), model_(nullptr, call_.model_destruct) {
  char* error = nullptr;
  if (call_.set_print_callback(print_to_log, &error) != 0) throw UsageError(message(error));
  model_.reset(call_.model_construct(data.c_str(), seed, &error));
  if (!model_) throw UsageError(message(error));
  dim_ = call_.param_unc_num(model_.get());
  parameters_ = call_.param_num(model_.get(), false, false);
  with_transformed_ = call_.param_num(model_.get(), true, false);
  with_generated_ = call_.param_num(model_.get(), true, true);
  if (dim_ == 0) {
    throw UsageError("the program has no parameters, so there is nothing to sample");
  }
  const std::string_view info = call_.model_info(model_.get());
  has_threads_ = info.find("STAN_THREADS=true") != info.npos;
  // Our bridge has them added by one thread.
  sums_in_order_ = info.starts_with("gadwall's bridge") ||
                   files::read_whole_file(library).find("reduce_sum_impl") == std::string::npos;
}

std::vector<std::string> StanModel::coordinate_names() const {
  return split(call_.param_unc_names(model_.get()));
}

std::vector<std::string> StanModel::value_names() const {
  return split(call_.param_names(model_.get(), true, true));
}

double StanModel::log_density(const double* x) const {
  double logp = 0;
  call_model(call_.log_density, kPropto, kJacobian, x, &logp);
  return logp;
}

double StanModel::gradient(const double* x, double* grad) const {
  double logp = 0;
  call_model(call_.log_density_gradient, kPropto, kJacobian, x, &logp, grad);
  return logp;
}

StanModel::Generator StanModel::generator(unsigned int seed) const {
  char* error = nullptr;
  Generator made(call_.rng_construct(seed, &error), call_.rng_destruct);
  if (!made) throw std::runtime_error(message(error));
  return made;
}

void StanModel::constrain(const double* x, Values which, bs_rng* generator, double* values) const {
  const bool generated = which == Values::with_generated && has_generated();
  call_model(call_.param_constrain, which != Values::parameters, generated, x, values, generator);
}

void StanModel::unconstrain(const double* values, double* x) const {
  call_model(call_.param_unconstrain, values, x);
}

template <class Function, class... Arguments>
void StanModel::call_model(Function function, Arguments... arguments) const {
  const auto lock =
      has_threads_ ? std::unique_lock<std::mutex>() : std::unique_lock<std::mutex>(mutex_);
  char* error = nullptr;
  const int code = function(model_.get(), arguments..., &error);
  if (code != 0) throw std::runtime_error(message(error));
}

/// Takes the text; BridgeStan puts its own function, and older ones all of the data, before it.
std::string StanModel::message(char* error) const {
  if (error == nullptr) return "the model failed without a message";
  std::string text = error;
  call_.free_error_msg(error);
  constexpr std::string_view kBefore = "failed with exception: ";
  if (const std::size_t at = text.find(kBefore); at != text.npos) {
    text.erase(0, at + kBefore.size());
  }
  text.erase(text.find_last_not_of(" \n") + 1);
  return text;
}

}  // namespace gadwall::stan
