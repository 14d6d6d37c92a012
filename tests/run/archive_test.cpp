// What is restored is what was saved, bit for bit.
#include "gadwall/archive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gadwall/error.hpp"
#include "gadwall/kernel.hpp"

namespace gadwall {
namespace {

struct Inner {
  double number = 0;
  void archive(Archive& a) { a("number", number); }
};

struct Everything {
  bool flag = false;
  double real = 0;
  std::int64_t whole = 0;
  std::uint64_t count = 0;
  std::string text;
  std::vector<std::string> texts;
  std::vector<std::int64_t> wholes;
  std::vector<double> reals;
  Vector vector;
  Matrix matrix;
  Inner inner;

  void archive(Archive& a) {
    a("flag", flag);
    a("real", real);
    a("whole", whole);
    a("count", count);
    a("text", text);
    a("texts", texts);
    a("wholes", wholes);
    a("reals", reals);
    a("vector", vector);
    a("matrix", matrix);
    a("inner", inner);
  }
};

std::string save(Everything& object) {
  Archive archive;
  object.archive(archive);
  EXPECT_TRUE(archive.is_saving());
  return archive.bytes();
}

TEST(Archive, RestoresEveryKindOfValueBitForBit) {
  Everything saved{.flag = true,
                   .real = 0.1,
                   .whole = -5,
                   .count = std::numeric_limits<std::uint64_t>::max(),
                   .text = "a\nb",
                   .texts = {"", "c"},
                   .wholes = {1, -2},
                   .reals = {-0.0, std::numeric_limits<double>::infinity(), 5e-324},
                   .vector = Vector{{1, 2}},
                   .matrix = Matrix{{1, 2, 3}, {4, 5, 6}},
                   .inner = {7}};
  Everything restored;
  Archive archive(save(saved));
  restored.archive(archive);
  EXPECT_FALSE(archive.is_saving());
  EXPECT_EQ(restored.flag, true);
  EXPECT_EQ(restored.real, 0.1);
  EXPECT_EQ(restored.whole, -5);
  EXPECT_EQ(restored.count, saved.count);
  EXPECT_EQ(restored.text, "a\nb");
  EXPECT_EQ(restored.texts, saved.texts);
  EXPECT_EQ(restored.wholes, saved.wholes);
  EXPECT_EQ(restored.reals, saved.reals);
  EXPECT_TRUE(std::signbit(restored.reals[0]));
  EXPECT_EQ(restored.vector, saved.vector);
  EXPECT_EQ(restored.matrix, saved.matrix);
  EXPECT_EQ(restored.inner.number, 7);
}

TEST(Archive, KeepsNanAndEmptyMatrices) {
  Everything saved;
  saved.real = std::numeric_limits<double>::quiet_NaN();
  Everything restored;
  restored.vector = Vector{{1}};
  restored.matrix = Matrix{{1}};
  Archive archive(save(saved));
  restored.archive(archive);
  EXPECT_TRUE(std::isnan(restored.real));
  EXPECT_EQ(restored.vector.size(), 0);
  EXPECT_EQ(restored.matrix.size(), 0);
}

TEST(Archive, NamesWhatIsMissingOrOfAnotherKind) {
  Inner inner;
  Archive saving;
  inner.archive(saving);
  std::string text = "not there";
  Archive archive(saving.bytes());
  try {
    archive("text", text);
    FAIL();
  } catch (const RunError& error) {
    EXPECT_STREQ(error.what(), "the checkpoint has no 'text'");
  }
  EXPECT_THROW(archive("number", text), RunError);
  EXPECT_THROW(Archive("garbage"), RunError);
}

/// Memory that was used before must not show in a checkpoint.
TEST(Archive, OfANewStateHoldsNothingOfEarlierMemory) {
  for (int i = 0; i < 8; ++i) Matrix::Constant(40, 3, 7.5).eval();
  const State state(40, 3);
  EXPECT_TRUE(state.x.isZero(0) && state.grad.isZero(0) && state.whitened.isZero(0));
  EXPECT_TRUE(state.logp.isZero(0));
}

}  // namespace
}  // namespace gadwall
