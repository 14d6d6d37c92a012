#include "gadwall/target.hpp"

namespace gadwall {

std::vector<std::string> Target::names() const {
  std::vector<std::string> result;
  for (Index i = 1; i <= dim(); ++i) result.push_back("x." + std::to_string(i));
  return result;
}

bool Target::hessian_times(ConstMatrixRef, ConstMatrixRef, MatrixRef) const {
  return false;
}

}  // namespace gadwall
