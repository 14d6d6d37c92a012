// How close the logistic target comes to the machine's limit: its flop rate against DGEMM's.
//
//   g++ -std=c++20 -O3 -march=native -DNDEBUG -DEIGEN_MAX_ALIGN_BYTES=32 -Iinclude -Isrc
//     -I/usr/include/eigen3 bench/logistic_bench.cpp src/targets/logistic*.cpp src/target.cpp
//     -lfmt -lopenblas -o logistic_bench
//
// Log density + gradient of N x n data: 4 N n flops a lane. Every figure is the best of many short
// bursts in CPU time of the thread; the bursts of all competitors take turns, so that a busy
// machine slows them alike. Compare the ratios, not the times, across runs.
#include <cblas.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <vector>

#include "targets/logistic.hpp"

extern "C" void openblas_set_num_threads(int threads);

namespace {

using gadwall::Index;
using gadwall::Matrix;
using gadwall::Vector;

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Competitor {
  std::function<void()> run;
  int repeats = 1;    // in one burst
  double best = 1e9;  // seconds a run
};

/// Bursts of about half a millisecond, or one run.
void choose_repeats(Competitor& one) {
  one.run();
  const double start = thread_seconds();
  one.run();
  one.repeats = std::clamp(static_cast<int>(5e-4 / (thread_seconds() - start)), 1, 1000);
}

void race(std::vector<Competitor>& field, int rounds) {
  for (Competitor& one : field) choose_repeats(one);
  for (int round = 0; round < rounds; ++round) {
    for (Competitor& one : field) {
      one.run();  // brings its data into the cache
      const double start = thread_seconds();
      for (int i = 0; i < one.repeats; ++i) one.run();
      one.best = std::min(one.best, (thread_seconds() - start) / one.repeats);
    }
  }
}

constexpr int kGemm = 512;

struct Gemm {
  Matrix a = Matrix::Random(kGemm, kGemm), b = Matrix::Random(kGemm, kGemm), c = a;
  void operator()() {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, kGemm, kGemm, kGemm, 1, a.data(), kGemm,
                b.data(), kGemm, 0, c.data(), kGemm);
  }
};

/// X w and X^T r, the two products of one gradient, by themselves.
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

struct Evaluate {
  Evaluate(const gadwall::Logistic& target_, Index lanes)
      : target(target_), w(0.1 * Matrix::Random(target.dim(), lanes)), grad(w), logp(lanes) {}
  void operator()() { target.evaluate(w, logp, grad); }
  const gadwall::Logistic& target;
  Matrix w, grad;
  Vector logp;
};

void report(const char* name, Index rows, Index columns, int rounds) {
  const Matrix x = Matrix::Random(rows, columns);
  const Vector y = (Vector::Random(rows).array() > 0).cast<double>();
  const gadwall::Logistic target(x, y, 1);
  const std::vector<Index> lane_counts{1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 17, 32, 64};
  std::vector<Competitor> field{{Gemm{}}, {TwoGemv{x}}};
  for (const Index lanes : lane_counts) field.push_back({Evaluate(target, lanes)});
  race(field, rounds);

  const double gemm_rate = 2.0 * kGemm * kGemm * kGemm / field[0].best * 1e-9;
  const double flops = 4.0 * static_cast<double>(rows * columns);
  std::printf("%s %td x %td: DGEMM %.1f GFLOP/s, two dgemv %.2f us\n", name, rows, columns,
              gemm_rate, field[1].best * 1e6);
  std::printf("%6s %12s %10s %10s %14s\n", "K", "us / lane", "GFLOP/s", "/ DGEMM", "/ two dgemv");
  for (std::size_t i = 0; i < lane_counts.size(); ++i) {
    const double seconds = field[i + 2].best / static_cast<double>(lane_counts[i]);
    const double rate = flops / seconds * 1e-9;
    std::printf("%6td %12.2f %10.1f %10.2f %14.2f\n", lane_counts[i], seconds * 1e6, rate,
                rate / gemm_rate, seconds / field[1].best);
  }
}

}  // namespace

int main() {
  openblas_set_num_threads(1);
  report("caravan", 5822, 86, 200);
  report("german", 1000, 25, 400);
}
