// Numbers for people: those of one kind look alike wherever they are shown.
#pragma once

#include <cstdint>
#include <string>

namespace gadwall {

/// 12,431
std::string grouped(std::uint64_t value);

/// A count, or an estimate of one, as a whole number; "-" where it is not known.
std::string count_text(double value);

/// Per second: three significant digits, 1,590; "-" where it is not known.
std::string rate_text(double value);

/// An R-hat or an acceptance rate: three decimals; "-" where it is not known.
std::string ratio_text(double value);

/// With so many decimals, or as many more as it takes to show on which side of the limit the value
/// is; "-" where it is not known.
std::string text_beside(double value, double limit, int decimals);

/// "1 bad point", "2 bad points", "1,200 bad points"
std::string counted(std::uint64_t count, const std::string& one);

}  // namespace gadwall
