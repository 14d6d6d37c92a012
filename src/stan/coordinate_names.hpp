// The names of a program's coordinates, in the order of the coordinates.
//
// Stan 2.21 lists those of an array of vectors with the first index fastest, b.1.1, b.2.1, ..., but
// reads one vector after the other, b.1.1, b.1.2, ...: so a name belongs to the coordinate that
// moves its value.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gadwall/types.hpp"

namespace gadwall::stan {

/// The values of the parameters where the coordinates are x.
using Constrain = std::function<Vector(const Vector& x)>;

/// `listed`: what the program calls its coordinates; `values`: the parameters' values, NAME.1.2.
/// Where values do not tell, the names stay as they are listed.
std::vector<std::string> names_of_coordinates(std::vector<std::string> listed,
                                              const std::vector<std::string>& values,
                                              const Constrain& constrain);

}  // namespace gadwall::stan
