// Reads the stored chains and what R's posterior says of them (reference/make_reference.R).
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "gadwall/types.hpp"

namespace gadwall::testing {

struct ReferenceNumber {
  std::string what;
  double p;  // NaN where the number has no probability
  double value;
};

struct ReferenceCase {
  std::string name;
  Matrix chains;
  std::vector<ReferenceNumber> numbers;

  double number(const std::string& what) const {
    for (const ReferenceNumber& n : numbers) {
      if (n.what == what && std::isnan(n.p)) return n.value;
    }
    throw std::runtime_error("no " + what + " for the chains " + name);
  }
};

inline std::ifstream open_reference(const std::string& file) {
  std::ifstream in(std::string(GADWALL_TEST_DATA) + "/diagnostics/reference/" + file);
  if (!in) throw std::runtime_error("cannot open the reference " + file);
  return in;
}

// std::stod, and not operator>>, knows NaN and Inf.
inline Matrix read_matrix(std::istream& in, Index rows, Index cols) {
  Matrix x(rows, cols);
  std::string word;
  for (Index i = 0; i < rows; ++i) {
    for (Index c = 0; c < cols; ++c) {
      in >> word;
      x(i, c) = std::stod(word);
    }
  }
  in >> std::ws;
  return x;
}

inline std::vector<ReferenceNumber> read_numbers(std::istream& in) {
  std::vector<ReferenceNumber> numbers;
  std::string line;
  while (std::getline(in, line) && line != "end") {
    std::istringstream words(line);
    std::string what, first, second;
    words >> what >> first >> second;
    const bool has_p = !second.empty();
    numbers.push_back(
        {what, has_p ? std::stod(first) : std::nan(""), std::stod(has_p ? second : first)});
  }
  return numbers;
}

inline const std::vector<ReferenceCase>& reference_cases() {
  static const std::vector<ReferenceCase> cases = [] {
    std::ifstream in = open_reference("posterior.txt");
    std::vector<ReferenceCase> read;
    std::string keyword, name;
    Index rows = 0, cols = 0;
    while (in >> keyword >> name >> rows >> cols) {
      Matrix chains = read_matrix(in, rows, cols);
      read.push_back({name, std::move(chains), read_numbers(in)});
    }
    return read;
  }();
  return cases;
}

inline const Matrix& reference_chains(const std::string& name) {
  for (const ReferenceCase& c : reference_cases()) {
    if (c.name == name) return c.chains;
  }
  throw std::runtime_error("no chains " + name);
}

/// Both NaN, the same infinity, or within 1e-8 of the wanted value. Where every chain is constant
/// the variance within is 0 here and may be rounding error in posterior, whose R-hat is then some
/// huge number and ours infinite: beyond 1e12 they are the same.
inline void expect_same(double seen, double wanted, const std::string& what) {
  if (std::isnan(wanted)) {
    EXPECT_TRUE(std::isnan(seen)) << what << " is " << seen << ", wanted NaN";
  } else if (std::abs(wanted) > 1e12) {
    EXPECT_EQ(std::signbit(seen), std::signbit(wanted)) << what;
    EXPECT_GT(std::abs(seen), 1e12) << what;
  } else {
    EXPECT_NEAR(seen, wanted, 1e-8 * std::abs(wanted)) << what;
  }
}

}  // namespace gadwall::testing
