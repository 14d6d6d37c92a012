// Factors as named arrays: there and back bit for bit, and every way in which arrays can be wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "factors/factor_testing.hpp"
#include "gadwall/error.hpp"
#include "gadwall/tuning.hpp"

namespace gadwall {
namespace {

using testing::every_form;
using testing::FormCase;

constexpr Index kDim = 4;

TEST(FactorParts, GiveTheFactorBackBitForBit) {
  for (const FormCase& form : every_form(kDim)) {
    const std::vector<NamedArray> parts = form.factor.parts();
    const Factor again = Factor::from_parts(form.factor.kind(), kDim, parts);
    EXPECT_EQ(again.kind(), form.factor.kind());
    EXPECT_EQ(again.matrix(), form.factor.matrix());
    std::vector<std::string> names;
    for (const NamedArray& part : parts) names.push_back(part.name);
    EXPECT_EQ(names, Factor::part_names(form.factor.kind()));
  }
}

TEST(FactorParts, HaveTheirRowsOneAfterTheOther) {
  const auto parts = Factor::dense(Matrix{{2, 0}, {1, 3}}).parts();
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].shape, (std::vector<Index>{2, 2}));
  EXPECT_EQ(parts[0].values, (std::vector<double>{2, 0, 1, 3}));
}

TEST(FactorParts, OfNoDirectionsMayBeLeftOut) {
  const Factor factor = Factor::from_parts(Metric::low_rank, 2, {{"scales", {2}, {3, 4}}});
  EXPECT_EQ(factor.matrix(), Matrix(Vector{{3, 4}}.asDiagonal()));
}

std::string complaint(Metric form, Index n, const std::vector<NamedArray>& parts) {
  try {
    Factor::from_parts(form, n, parts);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

struct Wrong {
  Metric form;
  std::function<void(std::vector<NamedArray>&)> spoil;
  std::string message;
};

/// The parts of a good factor with n = 2, one thing changed.
TEST(FactorParts, AreRefusedByNameWhereSomethingIsWrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  using Parts = std::vector<NamedArray>;
  const std::vector<Wrong> cases = {
      {Metric::diag, [](Parts& p) { p.clear(); }, "'factor' of the factor is missing"},
      {Metric::diag, [](Parts& p) { p[0].values[1] = 0; },
       "'factor' of the factor holds 0, expected positive numbers"},
      {Metric::diag, [=](Parts& p) { p[0].values[1] = nan; },
       "'factor' of the factor holds nan, expected finite numbers"},
      {Metric::diag,
       [](Parts& p) {
         p[0] = {"factor", {3}, {1, 2, 3}};
       },
       "'factor' of the factor is 3, expected 2"},
      {Metric::dense, [](Parts& p) { p[0].shape = {4}; },
       "'factor' of the factor is 4, expected 2 x 2"},
      {Metric::dense,
       [](Parts& p) {
         p[0].shape = {Index{1} << 62, Index{1} << 62};
       },
       "'factor' of the factor has 4 values, expected 4611686018427387904 x 4611686018427387904"},
      {Metric::dense, [](Parts& p) { p[0].values[1] = 1e-300; },
       "'factor' of the factor is not lower triangular"},
      {Metric::dense, [](Parts& p) { p[0].values[3] = -1; },
       "'factor' of the factor has a diagonal that is not positive"},
      {Metric::dense, [=](Parts& p) { p[0].values[2] = -inf; },
       "'factor' of the factor holds -inf, expected finite numbers"},
      {Metric::low_rank, [](Parts& p) { p[0].values[0] = -2; },
       "'scales' of the factor holds -2, expected positive numbers"},
      {Metric::low_rank, [](Parts& p) { p.erase(p.begin() + 1); },
       "'directions' of the factor is missing"},
      {Metric::low_rank, [](Parts& p) { p.pop_back(); }, "'eigenvalues' of the factor is missing"},
      {Metric::low_rank, [](Parts& p) { p[1].shape = {2}; },
       "'directions' of the factor is 2, expected a matrix"},
      {Metric::low_rank,
       [](Parts& p) {
         p[1] = {"directions", {1, 1}, {1}};
       },
       "'directions' of the factor is 1 x 1, expected 2 x 1"},
      {Metric::low_rank,
       [](Parts& p) {
         p[1] = {"directions", {2, 3}, {1, 0, 0, 0, 1, 0}};
       },
       "'directions' of the factor has 3 columns, expected at most 2"},
      {Metric::low_rank, [](Parts& p) { p[1].values[0] += 1e-5; },
       "'directions' of the factor is not orthonormal: U^T U differs from I by 1.2e-05"},
      {Metric::low_rank, [](Parts& p) { p[2].values[0] = 0; },
       "'eigenvalues' of the factor holds 0, expected positive numbers"},
      {Metric::low_rank,
       [](Parts& p) {
         p[2] = {"eigenvalues", {2}, {1, 2}};
       },
       "'eigenvalues' of the factor is 2, expected 1"},
  };
  const auto good = [](Metric form) -> Factor {
    if (form == Metric::diag) return Factor::diagonal(Vector{{1, 2}});
    if (form == Metric::dense) return Factor::dense(Matrix{{2, 0}, {1, 3}});
    return Factor::low_rank(Vector{{1, 2}}, Vector{{0.6, 0.8}}, Vector{{5}});
  };
  for (const Wrong& wrong : cases) {
    Parts parts = good(wrong.form).parts();
    EXPECT_EQ(complaint(wrong.form, 2, parts), "");
    wrong.spoil(parts);
    EXPECT_EQ(complaint(wrong.form, 2, parts), wrong.message);
  }
  EXPECT_EQ(complaint(Metric::unit, -1, {}), "a factor of dimension -1, expected 0 or more");
}

TEST(FactorParts, TakeDirectionsThatWereRounded) {
  Factor factor = Factor::low_rank(Vector{{1, 2}}, Vector{{0.6, 0.8}}, Vector{{5}});
  std::vector<NamedArray> parts = factor.parts();
  parts[1].values[0] += 1e-7;
  EXPECT_EQ(complaint(Metric::low_rank, 2, parts), "");
}

TEST(FactorArchive, RestoresEveryFormBitForBit) {
  for (const FormCase& form : every_form(kDim)) {
    Tuning saved(form.factor, 0.3);
    Archive out;
    saved.archive(out);
    Tuning restored(Factor::first(form.factor.kind(), kDim, 1));
    Archive in(out.bytes());
    restored.archive(in);
    EXPECT_EQ(restored.step, 0.3);
    EXPECT_EQ(restored.factor().matrix(), form.factor.matrix());
  }
}

TEST(FactorArchive, RestoresAnyFormAndRefusesAnotherSize) {
  Factor saved = Factor::diagonal(Vector::Constant(kDim, 2));
  Archive out;
  saved.archive(out);
  for (Factor other : {Factor::unit(kDim), Factor::dense(Matrix::Identity(kDim, kDim))}) {
    Archive in(out.bytes());
    other.archive(in);
    EXPECT_EQ(other.kind(), Metric::diag);
    EXPECT_EQ(other.matrix(), saved.matrix());
  }
  Factor larger = Factor::diagonal(Vector::Ones(kDim + 1));
  Archive in(out.bytes());
  EXPECT_THROW(larger.archive(in), RunError);
}

}  // namespace
}  // namespace gadwall
