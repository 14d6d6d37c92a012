// The logistic target and what it is measured against: DGEMM, and the two bare matrix-vector
// products of one gradient. OpenBLAS is used here only.
#pragma once

#include <cblas.h>

#include "targets/logistic/logistic.hpp"

extern "C" void openblas_set_num_threads(int threads);

namespace gadwall::bench {

constexpr int kGemm = 512;
constexpr double kGemmFlops = 2.0 * kGemm * kGemm * kGemm;

struct Gemm {
  Matrix a = Matrix::Random(kGemm, kGemm), b = Matrix::Random(kGemm, kGemm), c = a;
  void operator()() {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, kGemm, kGemm, kGemm, 1, a.data(), kGemm,
                b.data(), kGemm, 0, c.data(), kGemm);
  }
};

/// X w and X^T r.
struct TwoGemv {
  const Matrix& x;
  Vector w = Vector::Random(x.cols()), r = Vector::Zero(x.rows()), g = w;
  void operator()() {
    const auto rows = static_cast<int>(x.rows()), columns = static_cast<int>(x.cols());
    cblas_dgemv(CblasColMajor, CblasNoTrans, rows, columns, 1, x.data(), rows, w.data(), 1, 0,
                r.data(), 1);
    cblas_dgemv(CblasColMajor, CblasTrans, rows, columns, 1, x.data(), rows, r.data(), 1, 0,
                g.data(), 1);
  }
};

/// Log density and gradient of K lanes: 4 N n K flops.
struct Evaluate {
  Evaluate(const Target& target_, Index lanes)
      : target(target_), w(0.1 * Matrix::Random(target.dim(), lanes)), grad(w), logp(lanes) {}
  void operator()() { target.evaluate(w, logp, grad); }
  const Target& target;
  Matrix w, grad;
  Vector logp;
};

}  // namespace gadwall::bench
