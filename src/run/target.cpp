#include "gadwall/target.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gadwall/error.hpp"

namespace gadwall {

std::vector<std::string> Target::names() const {
  std::vector<std::string> result;
  for (Index i = 1; i <= dim(); ++i) result.push_back("x." + std::to_string(i));
  return result;
}

bool Target::hessian_times(ConstMatrixRef, ConstMatrixRef, MatrixRef) const {
  return false;
}

std::unique_ptr<DrawMaker> Target::draw_maker(std::span<const Index>) const {
  return nullptr;
}

void Target::output(ConstVectorRef x, const NoiseKey&, VectorRef values) const {
  values = x;
}

Vector Target::coordinates(const std::vector<std::string>& value_names,
                           ConstVectorRef values) const {
  const std::vector<std::string> wanted = names();
  Vector x(dim());
  for (Index i = 0; i < dim(); ++i) {
    const std::string& name = wanted[static_cast<std::size_t>(i)];
    const auto found = std::ranges::find(value_names, name);
    if (found == value_names.end()) {
      throw UsageError(fmt::format("there is no value of parameter '{}'", name));
    }
    x[i] = values[found - value_names.begin()];
  }
  return x;
}

}  // namespace gadwall
