#include "kernels/phase.hpp"

namespace gadwall {

void Phase::resize(Index n, Index lanes) {
  for (Matrix* part : {&x, &v, &grad, &whitened}) part->resize(n, lanes);
  logp.resize(lanes);
}

void leapfrog(Evaluator& density, const Factor& L, const Vector& steps, Phase& z) {
  thread_local Matrix drift;
  drift.resize(z.x.rows(), z.x.cols());
  z.v.noalias() += z.whitened * (steps / 2).asDiagonal();
  L.times(z.v, drift);
  z.x.noalias() += drift * steps.asDiagonal();
  density.gradient(z.x, z.logp, z.grad);
  L.transpose_times(z.grad, z.whitened);
  z.v.noalias() += z.whitened * (steps / 2).asDiagonal();
}

}  // namespace gadwall
