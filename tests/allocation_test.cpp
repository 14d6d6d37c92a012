// No iteration takes memory from the heap: every sampler, every metric, one lane and several, on
// targets that are large enough for the temporaries of matrix products to leave the stack.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "gadwall/gadwall.hpp"
#include "math/stack_product.hpp"
#include "math/triangular.hpp"
#include "samplers/sampler_testing.hpp"
#include "sanitizers.hpp"
#include "targets/gaussian.hpp"
#include "targets/logistic/logistic.hpp"
#include "targets/target_checks.hpp"

// The sanitizers have a malloc of their own, and other C libraries other names.
#if defined(__GLIBC__) && !defined(GADWALL_SANITIZED_MALLOC)
#define GADWALL_COUNTS_ALLOCATIONS

namespace {
std::atomic<long> allocations{0};
}  // namespace
std::atomic<std::size_t> largest_allocation{SIZE_MAX};  // more is refused

// Eigen calls malloc, operator new calls it too.
extern "C" {
void* __libc_malloc(std::size_t size) noexcept;              // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void* old, std::size_t size) noexcept;  // NOLINT(bugprone-reserved-identifier)
void* __libc_calloc(std::size_t count,
                    std::size_t size) noexcept;  // NOLINT(bugprone-reserved-identifier)

void* malloc(std::size_t size) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return size > largest_allocation ? nullptr : __libc_malloc(size);
}

void* realloc(void* old, std::size_t size) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(old, size);
}

void* calloc(std::size_t count, std::size_t size) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(count, size);
}
}
#endif

#ifdef GADWALL_COUNTS_ALLOCATIONS
namespace gadwall {
namespace {

/// Draws of a run, and the allocations of all but the first ones.
class CountingSink final : public Sink {
 public:
  void begin_sampling(Index, const Tuning&) override {}
  void write(Index, const DrawStatistics&, ConstVectorRef) override {
    if (++written_ == 100) first_ = allocations;
    last_ = allocations;
  }
  long counted() const { return last_ - first_; }

 private:
  int written_ = 0;
  long first_ = 0, last_ = 0;
};

/// Whole steps: one in pieces, which is rare, evaluates a single lane between all of them, and
/// memory that is kept for a number of lanes is made anew.
Settings settings_of(const SamplerRow& row, const std::string& metric) {
  return testing::settings_for(
      row, {{"metric", metric}, {"step", 0.05}, {"max-depth", 4}, {"halvings", 0}});
}

/// Kernel and adapter as a batch drives them, without the ends of windows, where nuts factorises.
long warmup_allocations(const Target& target, const SamplerRow& row, const std::string& metric,
                        Index lanes) {
  const Index n = target.dim();
  const Stage stage = testing::stages_of(row, settings_of(row, metric), n, 1000).front();
  const auto kernel = stage.kernel();
  const auto adapter = stage.adapter();
  Evaluator density(target);
  State now(n, lanes);
  Transition transition(n, lanes);
  now.x.setZero();
  density.gradient(now.x, now.logp, now.grad);
  Tuning tuning = adapter->initial_tuning(n);
  adapter->start(now, density, {1, 0, 0}, tuning);
  long before = 0;
  for (std::uint64_t iteration = 0; iteration < 90; ++iteration) {
    if (iteration == 80) before = allocations;  // nuts learns from draw 75 on
    const LaneNoise noise{1, 0, iteration};
    kernel->step(density, tuning, now, noise, adapter->wants(), transition);
    adapter->learn({transition, now, density, noise, static_cast<Index>(iteration)}, tuning);
    commit(tuning, transition, now);
  }
  return allocations - before;
}

long sampling_allocations(const std::shared_ptr<const Target>& target, const SamplerRow& row,
                          const std::string& metric, Index lanes) {
  RunOptions run_options;
  run_options.chains = run_options.lanes = lanes;
  run_options.warmup = 10;
  run_options.draws = 110;
  const RunPlan plan(target, row, settings_of(row, metric), run_options);
  CountingSink sink;
  Monitor monitor(lanes);
  run(plan, sink, monitor);
  return sink.counted();
}

/// In warm-up: where all learn together, or from scores, the states are kept until a metric is made
/// of them, the directions of a low rank L are made anew, and the entropy of trajectories takes
/// products with a Hessian.
bool takes_memory(const SamplerRow& row, const std::string& metric) {
  return row.pools || metric == "lowrank" || metric == "auto" || row.has_option("series");
}

void expect_no_allocation(const std::shared_ptr<const Target>& target) {
  for (const SamplerRow& row : samplers()) {
    for (const std::string& metric : testing::metrics_of(row)) {
      for (const Index lanes : {1, 5, 20}) {
        EXPECT_EQ(takes_memory(row, metric) ? 0 : warmup_allocations(*target, row, metric, lanes),
                  0)
            << row.name << ", " << metric << ", warm-up, K = " << lanes;
        EXPECT_EQ(sampling_allocations(target, row, metric, lanes), 0)
            << row.name << ", " << metric << ", sampling, K = " << lanes;
      }
    }
  }
}

TEST(Allocation, HappensInNoIterationOnAGaussian) {
  const Index n = 150;
  Matrix covariance = Matrix::Constant(n, n, 0.1);
  covariance.diagonal().setConstant(1);
  expect_no_allocation(std::make_shared<Gaussian>(Vector::Zero(n), covariance));
}

TEST(Allocation, HappensInNoIterationOnALogisticRegression) {
  std::srand(1);
  Matrix design = Matrix::Random(300, 60);
  design.topRightCorner(290, 20).setZero();  // columns with a usual value
  const Vector labels = (Vector::Random(300).array() > 0).cast<double>();
  expect_no_allocation(std::make_shared<Logistic>(design, labels, 1));
}

TEST(Allocation, HappensInNoIterationOnCodedRows) {
  const Matrix design = testing::runs_of_counts(300, 61);
  ASSERT_TRUE(SignedRows(design, Vector::Ones(300)).coded);
  const Vector labels = (Vector::Random(300).array() > 0).cast<double>();
  expect_no_allocation(std::make_shared<Logistic>(design, labels, 1));
}

/// Depths, and last panels of a single row, for which Eigen's own products would take memory.
TEST(Allocation, HappensInNoProduct) {
  for (const Index n : {33, 129, 600, 785}) {
    const Matrix a = Matrix::Random(n, n), b = Matrix::Random(n, 64);
    Matrix lower = Matrix::Identity(n, n), out = b, across = b.transpose();
    const long before = allocations;
    add_product(a, b, out);
    solve_lower(lower, out);
    add_lower_product(b, across, lower);
    EXPECT_EQ(allocations - before, 0) << n;
  }
}

TEST(Allocation, HappensInNoProductOfLowRankAfterTheFirst) {
  for (const Index n : {33, 600}) {
    const Factor factor =
        Factor::low_rank(Vector::Ones(n), Matrix::Identity(n, 33), Vector::Constant(33, 2));
    for (const Index lanes : {1, 5, 64}) {
      const Matrix v = Matrix::Random(n, lanes);
      Matrix out(n, lanes), move = v, moved(n, lanes);
      long before = 0;
      for (int call = 0; call < 2; ++call) {
        before = allocations;
        factor.times(v, out);
        factor.transpose_times(v, out);
        factor.both_times(v, 0.5, out, move, moved);
      }
      EXPECT_EQ(allocations - before, 0) << n << ", K = " << lanes;
    }
  }
}

TEST(Allocation, IsSeenWhereItHappens) {
  const long before = allocations;
  const auto vector = std::make_unique<Vector>(1000);
  EXPECT_EQ(allocations - before, 2);
}

}  // namespace
}  // namespace gadwall
#endif
