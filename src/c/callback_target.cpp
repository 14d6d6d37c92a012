// C functions as targets, and the end of a run that one of them asks for.
#include <limits>
#include <stdexcept>

#include "c/model.hpp"

namespace gadwall::c {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

void CallbackTarget::evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const {
  const bool wanted = grad.size() > 0;
  const bool in_place = x.outerStride() == dim_ && (!wanted || grad.outerStride() == dim_);
  int status = GADWALL_OK;
  if (in_place || x.cols() == 1) {
    status = density_(x, logp.data(), wanted ? grad.data() : nullptr);
  } else {
    thread_local Matrix points, gradients;
    points = x;
    gradients.resize(dim_, wanted ? x.cols() : 0);
    status = density_(points, logp.data(), wanted ? gradients.data() : nullptr);
    if (wanted) grad = gradients;
  }
  if (status < 0) throw StopAsked{};
  if (status != GADWALL_OK) throw std::runtime_error("the density could not be evaluated");
}

void WatchedTarget::evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const {
  if (!failed_) {
    try {
      return target_->evaluate(x, logp, grad);
    } catch (const StopAsked&) {
      if (!failed_.exchange(true) && tell_) tell_();
    }
  }
  logp.setConstant(-kInfinity);
  if (grad.size() > 0) grad.setZero();
}

}  // namespace gadwall::c
