#include "stan/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>

#include "gadwall/error.hpp"
#include "gadwall/host.hpp"

namespace gadwall::stan {
namespace {

/// One generator a draw: a restarted run makes the same values.
unsigned int seed_from(const NoiseKey& key) {
  constexpr double kSeeds = 4294967296.0;  // 2^32
  return static_cast<unsigned int>(UniformStream(key, Purpose::output).next() * kSeeds);
}

}  // namespace

void StanTarget::evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const {
  for (Index k = 0; k < x.cols(); ++k) {
    const double* point = x.col(k).data();
    logp[k] =
        grad.size() == 0 ? model_.log_density(point) : model_.gradient(point, grad.col(k).data());
  }
}

bool StanTarget::hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) const {
  for (Index k = 0; k < x.cols(); ++k) {
    if (!model_.hessian_times(x.col(k).data(), v.col(k).data(), out.col(k).data())) return false;
  }
  return true;
}

void StanTarget::output(ConstVectorRef x, const NoiseKey& key, VectorRef values) const {
  using Values = StanModel::Values;
  for (const Values which :
       {Values::with_generated, Values::with_transformed, Values::parameters}) {
    values.setConstant(std::numeric_limits<double>::quiet_NaN());
    try {
      return model_.constrain(x.data(), which, seed_from(key), values.data());
    } catch (const std::exception& error) {
      if (failure_told_.test_and_set()) continue;
      say(MessageKind::warning, fmt::format("values of a draw are NaN: {}", error.what()));
    }
  }
}

Vector StanTarget::coordinates(const std::vector<std::string>& value_names,
                               ConstVectorRef values) const {
  std::vector<std::string> wanted = output_names();
  wanted.resize(static_cast<std::size_t>(model_.parameters()));
  Vector parameters(model_.parameters());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto found = std::ranges::find(value_names, wanted[i]);
    if (found == value_names.end()) {
      throw UsageError(fmt::format("there is no value of parameter '{}'", wanted[i]));
    }
    parameters[static_cast<Index>(i)] = values[found - value_names.begin()];
  }
  Vector x(dim());
  try {
    model_.unconstrain(parameters.data(), x.data());
  } catch (const std::exception& error) {
    throw UsageError(fmt::format("the model does not take the values: {}", error.what()));
  }
  return x;
}

}  // namespace gadwall::stan
