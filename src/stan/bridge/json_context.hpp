// JSON as the data that Stan's models are made from: by Stan's own reader from Stan 2.31 on.
#pragma once

#include <memory>
#include <sstream>
#include <stan/io/empty_var_context.hpp>
#include <stan/io/var_context.hpp>
#include <stan/version.hpp>

#include "json_data.hpp"

#if STAN_MAJOR > 2 || STAN_MINOR >= 31
#define GADWALL_RECENT_STAN
#include <stan/io/json/json_data.hpp>
#endif

namespace gadwall_stan {

using Context = std::unique_ptr<stan::io::var_context>;

#ifdef GADWALL_RECENT_STAN

inline Context context_of(const std::string& json) {
  if (json.empty()) return Context(new stan::io::empty_var_context());
  std::istringstream in(json);
  return Context(new stan::json::json_data(in));
}

#else

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

 private:
  void list(std::vector<std::string>& names, bool integers) const {
    names.clear();
    for (const auto& entry : variables_) {
      if (entry.second.is_integer == integers) names.push_back(entry.first);
    }
  }

  Variables variables_;
};

inline Context context_of(const std::string& json) {
  return Context(new JsonContext(JsonReader(json).read()));
}

#endif

}  // namespace gadwall_stan
