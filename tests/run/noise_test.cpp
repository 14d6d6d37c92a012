// Noise: the generator against Random123, the transform against long double, the streams against
// the distributions they promise.
#include "gadwall/noise.hpp"

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#undef philox4x32  // a macro of Random123
#include "run/philox.hpp"
#include "statistics.hpp"

namespace gadwall {
namespace {

using testing::kolmogorov_smirnov;
using testing::normal_cdf;
using Words = std::array<std::uint32_t, 4>;

Words random123(const Words& counter, std::uint32_t key0, std::uint32_t key1) {
  const r123::Philox4x32_R<10>::ctr_type c = {{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x32_R<10>::key_type k = {{key0, key1}};
  const auto bits = r123::Philox4x32_R<10>()(c, k);
  return {bits[0], bits[1], bits[2], bits[3]};
}

/// W counters side by side; the high halves of the words hold anything.
template <int W>
std::array<Words, W> philox(const std::array<Words, W>& counters, std::uint32_t key0,
                            std::uint32_t key1) {
  PhiloxCounters<W> c;
  std::array<Words, W> bits;
  for (std::size_t i = 0; i < W; ++i) {
    for (std::size_t w = 0; w < 4; ++w) c.word[w][i] = 0xABCDEF0100000000U | counters[i][w];
  }
  philox4x32(c, key0, key1);
  for (std::size_t i = 0; i < W; ++i) {
    for (std::size_t w = 0; w < 4; ++w) bits[i][w] = static_cast<std::uint32_t>(c.word[w][i]);
  }
  return bits;
}

Words philox(const Words& counter, std::uint32_t key0, std::uint32_t key1) {
  return philox<1>({counter}, key0, key1)[0];
}

TEST(Philox, GivesThePublishedAnswers) {
  constexpr std::uint32_t ones = 0xFFFFFFFFU;
  EXPECT_EQ(philox({0, 0, 0, 0}, 0, 0), (Words{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}));
  EXPECT_EQ(philox({ones, ones, ones, ones}, ones, ones),
            (Words{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}));
  EXPECT_EQ(philox({0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}, 0xA4093822, 0x299F31D0),
            (Words{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}));
}

TEST(Philox, EqualsRandom123OnManyCounters) {
  Words counter{1, 2, 3, 4};
  std::uint32_t key0 = 5, key1 = 6;
  for (int i = 0; i < 10000; ++i) {
    const Words bits = philox(counter, key0, key1);
    ASSERT_EQ(bits, random123(counter, key0, key1)) << i;
    key0 = bits[0] ^ counter[3];
    key1 = bits[1] + counter[2];
    counter = bits;
  }
}

template <int W>
void expect_side_by_side() {
  std::array<Words, W> counters;
  for (std::uint32_t i = 0; i < W; ++i) {
    counters[i] = random123({i, 1, 2, 3}, 4, 5);  // any numbers
  }
  const std::array<Words, W> bits = philox<W>(counters, 0xFFFFFFF1U, 12);
  for (std::size_t i = 0; i < W; ++i) {
    EXPECT_EQ(bits[i], random123(counters[i], 0xFFFFFFF1U, 12)) << i << " of " << W;
  }
}

TEST(Philox, TreatsCountersSideBySideAsOneByOne) {
  expect_side_by_side<1>();
  expect_side_by_side<4>();
  expect_side_by_side<8>();
  expect_side_by_side<16>();
}

const NoiseKey kKey{0x0123456789ABCDEFU, 42, 0x00AA5511223344EEU};

/// The four words of one block: block | iteration | iteration, purpose | chain.
Words block_bits(const NoiseKey& key, Purpose purpose, std::uint32_t block) {
  const auto low = static_cast<std::uint32_t>(key.iteration);
  const auto high = static_cast<std::uint32_t>(key.iteration >> 32 << 8);
  return random123({block, low, high | static_cast<std::uint32_t>(purpose), key.chain},
                   static_cast<std::uint32_t>(key.seed),
                   static_cast<std::uint32_t>(key.seed >> 32));
}

long double open_uniform(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t{high} << 32 | low) >> 12;
  return (static_cast<long double>(bits) + 0.5L) * 0x1p-52L;
}

std::array<long double, 2> box_muller(const Words& bits) {
  const long double radius = sqrtl(-2 * logl(open_uniform(bits[0], bits[1])));
  const long double angle = 2 * std::numbers::pi_v<long double> * open_uniform(bits[2], bits[3]);
  return {radius * cosl(angle), radius * sinl(angle)};
}

/// Sixteen numbers come from eight blocks: the cosines first, then the sines.
Index place(std::uint32_t block, int half) {
  return 16 * (block / 8) + block % 8 + 8 * half;
}

TEST(FillNormal, IsTheBoxMullerTransformOfPhiloxToRounding) {
  Vector z(1600);
  fill_normal(kKey, Purpose::probe, z);
  for (std::uint32_t block = 0; block < 800; ++block) {
    const auto wanted = box_muller(block_bits(kKey, Purpose::probe, block));
    for (const int half : {0, 1}) {
      const auto exact = static_cast<double>(wanted[static_cast<std::size_t>(half)]);
      EXPECT_NEAR(z[place(block, half)], exact, 1e-14) << block;
    }
  }
}

// Philox can be inverted, so counters exist for any bits wanted. These two give the smallest and
// the largest uniform number there is, 2^-53 and 1 - 2^-53, in blocks 38 and 20.
const NoiseKey kSmallest{2015, 485163736, 19886139210314988};
const NoiseKey kLargest{2015, 1879398197, 2020076830459694};

TEST(FillNormal, IsFiniteAndExactAtTheEndsOfTheUniformNumbers) {
  Vector z(640);
  fill_normal(kSmallest, Purpose::probe, z);
  ASSERT_EQ(block_bits(kSmallest, Purpose::probe, 38)[0], 0U);
  const double farthest = std::sqrt(106 * std::numbers::ln2);  // 8.57: no number lies beyond
  EXPECT_NEAR(std::hypot(z[place(38, 0)], z[place(38, 1)]), farthest, 1e-14);
  EXPECT_TRUE(z.allFinite());

  fill_normal(kLargest, Purpose::decision, z);
  ASSERT_EQ(block_bits(kLargest, Purpose::decision, 20)[0], 0xFFFFFFFFU);
  EXPECT_NEAR(std::hypot(z[place(20, 0)], z[place(20, 1)]) / 0x1p-26, 1, 1e-14);
  EXPECT_TRUE(z.allFinite());
}

TEST(UniformStream, StaysInsideTheOpenIntervalAtItsEnds) {
  UniformStream low(kSmallest, Purpose::probe), high(kLargest, Purpose::decision);
  for (int i = 0; i < 2 * 38; ++i) low.next();
  for (int i = 0; i < 2 * 20; ++i) high.next();
  EXPECT_EQ(low.next(), 0x1p-53);
  EXPECT_EQ(high.next(), 1 - 0x1p-53);
}

TEST(UniformStream, GivesTheBitsOfPhiloxInOrder) {
  UniformStream stream(kKey, Purpose::decision);
  for (std::uint32_t block = 0; block < 100; ++block) {
    const Words bits = block_bits(kKey, Purpose::decision, block);
    EXPECT_EQ(stream.next(), static_cast<double>(open_uniform(bits[0], bits[1])));
    EXPECT_EQ(stream.next(), static_cast<double>(open_uniform(bits[2], bits[3])));
  }
}

TEST(UniformStream, IsUniform) {
  UniformStream stream(kKey, Purpose::trajectory);
  std::vector<double> u(200000);
  std::ranges::generate(u, [&] { return stream.next(); });
  EXPECT_LT(kolmogorov_smirnov(u, [](double x) { return x; }), testing::kKolmogorovLimit);
}

Vector normals(Index count, const NoiseKey& key, Purpose purpose = Purpose::proposal) {
  Vector z(count);
  fill_normal(key, purpose, z);
  return z;
}

TEST(FillNormal, HasTheMomentsOfTheNormal) {
  constexpr Index count = 1000000;
  const Eigen::ArrayXd z = normals(count, kKey);
  const double root = std::sqrt(static_cast<double>(count));
  // The variance of z^p is E z^2p - (E z^p)^2: 1, 2, 15, 96.
  EXPECT_LT(std::abs(z.mean()) * root, 4);
  EXPECT_LT(std::abs(z.square().mean() - 1) * root / std::sqrt(2.0), 4);
  EXPECT_LT(std::abs(z.cube().mean()) * root / std::sqrt(15.0), 4);
  EXPECT_LT(std::abs(z.pow(4).mean() - 3) * root / std::sqrt(96.0), 4);
}

TEST(FillNormal, HasTheDistributionOfTheNormal) {
  const Vector z = normals(200000, kKey);
  EXPECT_LT(kolmogorov_smirnov({z.begin(), z.end()}, normal_cdf), testing::kKolmogorovLimit);
}

TEST(FillNormal, HasTheNormalsTails) {
  const Vector z = normals(1000000, kKey);
  const double expected = 1e6 * 2 * normal_cdf(-4.0);  // 63.3
  const auto beyond = static_cast<double>((z.array().abs() > 4).count());
  EXPECT_LT(std::abs(beyond - expected) / std::sqrt(expected), 4);
}

/// The correlation of two streams, and of their squares, in standard errors.
void expect_uncorrelated(const Vector& a, const Vector& b, const char* what) {
  const double root = std::sqrt(static_cast<double>(a.size()));
  EXPECT_LT(std::abs(a.dot(b)) / root, 4) << what;
  const double squares = (a.array().square() - 1).matrix().dot((b.array().square() - 1).matrix());
  EXPECT_LT(std::abs(squares) / (2 * root), 4) << what;
}

TEST(FillNormal, IsIndependentBetweenNeighboursOfEveryKind) {
  constexpr Index count = 100000;
  const NoiseKey base{7, 3, 100};
  const Vector z = normals(count, base);
  expect_uncorrelated(z, normals(count, {7, 4, 100}), "chain");
  expect_uncorrelated(z, normals(count, {7, 3, 101}), "iteration");
  expect_uncorrelated(z, normals(count, {7, 3, 100 + (std::uint64_t{1} << 32)}), "far iteration");
  expect_uncorrelated(z, normals(count, {8, 3, 100}), "seed");
  expect_uncorrelated(z, normals(count, {7 + (std::uint64_t{1} << 32), 3, 100}), "far seed");
  expect_uncorrelated(z, normals(count, {7, 100, 3}), "chain and iteration swapped");
  for (const Purpose other :
       {Purpose::decision, Purpose::trajectory, Purpose::start, Purpose::probe}) {
    expect_uncorrelated(z, normals(count, base, other), "purpose");
  }
}

TEST(FillNormal, IsIndependentWithinAStream) {
  const Vector z = normals(100000, kKey);
  for (const Index lag : {1, 2, 7, 8, 9, 15, 16, 17}) {
    expect_uncorrelated(z.head(z.size() - lag), z.tail(z.size() - lag), "lag");
  }
}

TEST(FillNormal, IsIndependentBetweenShortVectorsOfManyIterations) {
  // As a chain of three coordinates uses it: the start of a stream, iteration after iteration.
  constexpr Index count = 50000;
  Matrix z(3, count);
  for (Index t = 0; t < count; ++t) {
    fill_normal(NoiseKey{1, 0, static_cast<std::uint64_t>(t)}, Purpose::proposal, z.col(t));
  }
  const Matrix rows = z.transpose();
  expect_uncorrelated(rows.col(0), rows.col(1), "coordinates");
  expect_uncorrelated(rows.col(0), rows.col(2), "coordinates");
  expect_uncorrelated(rows.col(0).head(count - 1), rows.col(0).tail(count - 1), "iterations");
  EXPECT_LT(kolmogorov_smirnov({rows.data(), rows.data() + rows.size()}, normal_cdf),
            testing::kKolmogorovLimit);
}

TEST(FillNormal, GivesALaneTheNumbersOfItsChainHoweverManyLanesThereAre) {
  for (const Index rows : {1, 3, 16, 37}) {
    for (const Index lanes : {1, 2, 5}) {
      Matrix batch(rows, lanes);
      fill_normal(LaneNoise{9, 10, 11}, Purpose::proposal, batch);
      for (Index k = 0; k < lanes; ++k) {
        const NoiseKey chain{9, 10 + static_cast<std::uint32_t>(k), 11};
        EXPECT_EQ(batch.col(k), normals(rows, chain)) << rows << " x " << lanes;
      }
    }
  }
}

TEST(FillNormal, BeginsWithTheSameNumbersWhateverTheLength) {
  const Vector longest = normals(100, kKey);
  for (Index length = 0; length < 100; ++length) {
    EXPECT_EQ(normals(length, kKey), longest.head(length)) << length;
  }
}

TEST(FillNormal, GivesEachPurposeNumbersOfItsOwn) {
  std::set<double> seen;
  for (const Purpose purpose : {Purpose::proposal, Purpose::decision, Purpose::trajectory,
                                Purpose::start, Purpose::probe}) {
    const Vector z = normals(64, kKey, purpose);
    seen.insert(z.begin(), z.end());
  }
  EXPECT_EQ(seen.size(), 5U * 64);
}

}  // namespace
}  // namespace gadwall
