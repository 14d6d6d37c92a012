// Names of coordinates from what moves with them, on transforms made by hand.
#include "stan/coordinate_names.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gadwall::stan {
namespace {

using Names = std::vector<std::string>;

/// Of two vectors of three values, read one after the other, in the order of files: the first index
/// fastest.
Vector by_columns(const Vector& x) {
  return Vector{{x[0], x[3], x[1], x[4], x[2], x[5]}};
}

const Names kByColumns = {"b.1.1", "b.2.1", "b.1.2", "b.2.2", "b.1.3", "b.2.3"};
const Names kByRows = {"b.1.1", "b.1.2", "b.1.3", "b.2.1", "b.2.2", "b.2.3"};

TEST(CoordinateNames, OfAnArrayOfVectorsAreInTheOrderInWhichItIsRead) {
  EXPECT_EQ(names_of_coordinates(kByColumns, kByColumns, by_columns), kByRows);
  EXPECT_EQ(names_of_coordinates(kByRows, kByColumns, by_columns), kByRows);
}

TEST(CoordinateNames, MayHaveBounds) {
  const auto positive = [](const Vector& x) -> Vector { return by_columns(x).array().exp(); };
  EXPECT_EQ(names_of_coordinates(kByColumns, kByColumns, positive), kByRows);
}

TEST(CoordinateNames, OfAMatrixStayAsTheyAre) {
  const auto matrix = [](const Vector& x) { return x; };
  EXPECT_EQ(names_of_coordinates(kByColumns, kByColumns, matrix), kByColumns);
}

TEST(CoordinateNames, OfSimplexesAreCountedInEach) {
  const Names listed = {"mu", "p.1.1", "p.2.1", "p.1.2", "p.2.2", "s"};
  const Names values = {"mu", "p.1.1", "p.2.1", "p.1.2", "p.2.2", "p.1.3", "p.2.3", "s"};
  const auto simplexes = [](const Vector& x) -> Vector {
    const auto share = [&](Index k, Index j) {
      const Vector e = Vector{{x[1 + 2 * k], x[2 + 2 * k], 0}}.array().exp();
      return e[j] / e.sum();
    };
    return Vector{{x[0], share(0, 0), share(1, 0), share(0, 1), share(1, 1), share(0, 2),
                   share(1, 2), std::exp(x[5])}};
  };
  EXPECT_EQ(names_of_coordinates(listed, values, simplexes),
            (Names{"mu", "p.1.1", "p.1.2", "p.2.1", "p.2.2", "s"}));
}

/// All three values of a unit vector move with each of its coordinates: of the second to the
/// seventh the numbers joined are 7 for both vectors, which is one coordinate's number.
TEST(CoordinateNames, OfUnitVectorsAreCountedInEach) {
  Names listed = {"mu"}, expected = {"mu"};
  for (const std::string& name : kByColumns) listed.push_back(name);
  for (const std::string& name : kByRows) expected.push_back(name);
  const auto unit_vectors = [](const Vector& x) -> Vector {
    const Vector first = x.segment(1, 3).normalized(), second = x.segment(4, 3).normalized();
    return Vector{{x[0], first[0], second[0], first[1], second[1], first[2], second[2]}};
  };
  EXPECT_EQ(names_of_coordinates(listed, listed, unit_vectors), expected);
}

TEST(CoordinateNames, StayWhereValuesDoNotTell) {
  const auto sums = [](const Vector& x) -> Vector { return Vector::Constant(6, x.sum()); };
  EXPECT_EQ(names_of_coordinates(kByColumns, kByColumns, sums), kByColumns);
  const auto nothing = [](const Vector&) -> Vector { return Vector::Constant(6, NAN); };
  EXPECT_EQ(names_of_coordinates(kByColumns, kByColumns, nothing), kByColumns);
}

TEST(CoordinateNames, WithOneIndexAreNotLookedInto) {
  const auto never = [](const Vector&) -> Vector { throw std::runtime_error("called"); };
  const Names names = {"mu", "x.1", "x.2"};
  EXPECT_EQ(names_of_coordinates(names, names, never), names);
}

}  // namespace
}  // namespace gadwall::stan
