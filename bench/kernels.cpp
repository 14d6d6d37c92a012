// Google Benchmark of what an iteration is made of: noise, triangular products, the learning pass,
// the logistic target, and the DGEMM and dgemv that it is measured against.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <random>

#include "adapters/rmsprop.hpp"
#include "gadwall/noise.hpp"
#include "logistic_field.hpp"
#include "math/triangular.hpp"

namespace gadwall::bench {
namespace {

using benchmark::State;

Matrix some_lower(Index n) {
  std::srand(1);
  return Matrix::Random(n, n).triangularView<Eigen::Lower>();
}

void per_item(State& state, Index items) {
  state.SetItemsProcessed(state.iterations() * items);
}

void standard_library_normals(State& state) {
  Vector z(state.range(0));
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  for (auto _ : state) {
    std::ranges::generate(z, [&] { return normal(generator); });
    benchmark::DoNotOptimize(z.data());
  }
  per_item(state, z.size());
}
BENCHMARK(standard_library_normals)->Arg(100)->Arg(785);

void our_normals(State& state) {
  Vector z(state.range(0));
  std::uint64_t iteration = 0;
  for (auto _ : state) {
    fill_normal(NoiseKey{1, 0, iteration++}, Purpose::proposal, z);
    benchmark::DoNotOptimize(z.data());
  }
  per_item(state, z.size());
}
BENCHMARK(our_normals)->Arg(3)->Arg(25)->Arg(100)->Arg(785);

/// range: n, K
template <bool transposed>
void triangular_product(State& state) {
  const Index n = state.range(0), lanes = state.range(1);
  const Matrix lower = some_lower(n), v = Matrix::Random(n, lanes);
  Matrix out(n, lanes);
  for (auto _ : state) {
    if (lanes == 1) {
      transposed ? lower_transpose_times(lower, v.data(), out.data())
                 : lower_times(lower, v.data(), out.data());
    } else {
      transposed ? lower_transpose_times(lower, v, out) : lower_times(lower, v, out);
    }
    benchmark::DoNotOptimize(out.data());
  }
  per_item(state, n * (n + 1) / 2 * lanes);
}
BENCHMARK(triangular_product<false>)->ArgsProduct({{25, 100, 785}, {1, 4, 16, 64}});
BENCHMARK(triangular_product<true>)->ArgsProduct({{25, 100, 785}, {1, 4, 16, 64}});

void eigen_triangular_product(State& state) {
  const Index n = state.range(0), lanes = state.range(1);
  const Matrix lower = some_lower(n), v = Matrix::Random(n, lanes);
  Matrix out(n, lanes);
  for (auto _ : state) {
    out.noalias() = lower.triangularView<Eigen::Lower>() * v;
    benchmark::DoNotOptimize(out.data());
  }
  per_item(state, n * (n + 1) / 2 * lanes);
}
BENCHMARK(eigen_triangular_product)->ArgsProduct({{25, 100, 785}, {1, 4, 16, 64}});

void both_products_in_one_visit(State& state) {
  const Index n = state.range(0);
  const Matrix lower = some_lower(n);
  const Vector g = Vector::Random(n);
  Vector whitened(n), move = Vector::Zero(n), moved(n);
  for (auto _ : state) {
    lower_both_times(lower, g.data(), 1e-9, {whitened.data(), move.data(), moved.data()});
    benchmark::DoNotOptimize(moved.data());
  }
  per_item(state, n * (n + 1));
}
BENCHMARK(both_products_in_one_visit)->Arg(25)->Arg(100)->Arg(785);

/// range: n, outer products
void learning_pass(State& state) {
  const Index n = state.range(0), products = state.range(1);
  Matrix lower = some_lower(n);
  RmspropTriangle triangle;
  triangle.start(Vector::Ones(n));
  const Matrix left = Matrix::Random(n, products), right = Matrix::Random(n, products);
  for (auto _ : state) {
    triangle.ascend({left, right, products}, {0.9, 0.1, 1e-9}, lower);
    benchmark::DoNotOptimize(lower.data());
  }
  per_item(state, n * (n - 1) / 2);
}
BENCHMARK(learning_pass)->ArgsProduct({{25, 100, 785}, {1, 16}});

void dgemm(State& state) {
  Gemm gemm;
  for (auto _ : state) gemm();
  state.counters["flops"] =
      benchmark::Counter(kGemmFlops, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(dgemm);

/// range: N, n
void two_dgemv(State& state) {
  const Matrix x = Matrix::Random(state.range(0), state.range(1));
  TwoGemv products{x};
  for (auto _ : state) products();
  state.counters["flops"] = benchmark::Counter(4.0 * static_cast<double>(x.size()),
                                               benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(two_dgemv)->Args({1000, 25})->Args({5822, 86});

/// range: N, n, K
void logistic(State& state) {
  const Matrix x = Matrix::Random(state.range(0), state.range(1));
  const Vector y = (Vector::Random(x.rows()).array() > 0).cast<double>();
  const Logistic target(x, y, 1);
  Evaluate evaluate(target, state.range(2));
  for (auto _ : state) evaluate();
  const double flops = 4.0 * static_cast<double>(x.size() * state.range(2));
  state.counters["flops"] =
      benchmark::Counter(flops, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(logistic)->ArgsProduct({{1000}, {25}, {1, 2, 4, 8, 16, 64}});
BENCHMARK(logistic)->ArgsProduct({{5822}, {86}, {1, 2, 4, 8, 16, 64}});

/// Made-up pictures of 28 x 28 grey levels, a stroke of 0 to 11 pixels in each of their lines, one
/// picture a row, and the bias: about as full as digits are.
Matrix pictures(Index rows) {
  constexpr Index side = 28;
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same pictures every time
  Matrix x = Matrix::Zero(rows, side * side + 1);
  for (Index i = 0; i < rows; ++i) {
    for (Index line = 0; line < side; ++line) {
      const Index width = random() % 12, begin = 4 + random() % 8;
      for (Index j = begin; j < begin + width; ++j) {
        x(i, side * line + j) = static_cast<double>(1 + random() % 255) / 255;
      }
    }
  }
  x.rightCols(1).setOnes();
  return x;
}

/// range: K. A single number that is not a grey level keeps rows from being coded.
template <bool coded>
void logistic_pictures(State& state) {
  Matrix x = pictures(11339);
  if (!coded) x(0, 400) = 0.1234567;
  const Vector y = (Vector::Random(x.rows()).array() > 0).cast<double>();
  if (SignedRows(x, y).coded.has_value() != coded)
    state.SkipWithError("not what is to be measured");
  const Logistic target(x, y, 1);
  Evaluate evaluate(target, state.range(0));
  for (auto _ : state) evaluate();
}
BENCHMARK(logistic_pictures<true>)->ArgsProduct({{1, 2, 4, 6}});
BENCHMARK(logistic_pictures<false>)->ArgsProduct({{1, 2, 4, 6}});

}  // namespace
}  // namespace gadwall::bench

int main(int argc, char** argv) {
  openblas_set_num_threads(1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
