// JSON as the data that Stan's models are made from.
#pragma once

#include <complex>
#include <memory>
#include <sstream>
#include <stan/io/var_context.hpp>

#include "json_data.hpp"

#if __has_include(<stan/io/json/json_data.hpp>)
#include <stan/io/json/json_data.hpp>
#define GADWALL_STAN_JSON 1
#endif

namespace gadwall_stan {

class JsonContext : public stan::io::var_context {
 public:
  explicit JsonContext(Variables variables) : variables_(std::move(variables)) {}

  bool contains_r(const std::string& name) const { return variables_.count(name) > 0; }
  bool contains_i(const std::string& name) const {
    const auto found = variables_.find(name);
    return found != variables_.end() && found->second.is_integer;
  }
  std::vector<double> vals_r(const std::string& name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? std::vector<double>() : found->second.values;
  }
  std::vector<int> vals_i(const std::string& name) const {
    const std::vector<double> values = vals_r(name);
    return std::vector<int>(values.begin(), values.end());
  }
  std::vector<size_t> dims_r(const std::string& name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? std::vector<size_t>() : found->second.dims;
  }
  std::vector<size_t> dims_i(const std::string& name) const { return dims_r(name); }
  void names_r(std::vector<std::string>& names) const { list(names, false); }
  void names_i(std::vector<std::string>& names) const { list(names, true); }
#ifdef GADWALL_STAN_JSON  // what later versions ask for beside
  std::vector<std::complex<double>> vals_c(const std::string&) const {
    return {};
  }
  void validate_dims(const std::string&, const std::string&, const std::string&,
                     const std::vector<size_t>&) const {}
#endif

 private:
  void list(std::vector<std::string>& names, bool integers) const {
    names.clear();
    for (const auto& entry : variables_) {
      if (entry.second.is_integer == integers) names.push_back(entry.first);
    }
  }

  Variables variables_;
};

inline std::unique_ptr<stan::io::var_context> context_of(const std::string& json) {
#ifdef GADWALL_STAN_JSON  // it knows complex numbers and tuples too
  if (!json.empty()) {
    std::istringstream in(json);
    return std::unique_ptr<stan::io::var_context>(new stan::json::json_data(in));
  }
#endif
  return std::unique_ptr<stan::io::var_context>(new JsonContext(JsonReader(json).read()));
}

}  // namespace gadwall_stan
