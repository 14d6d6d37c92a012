// Cutting each chain into two.
#pragma once

#include "gadwall/types.hpp"

namespace gadwall {

/// The first halves of the C chains, then the second halves: floor(N/2) x 2C. The middle draw of an
/// odd N is left out; N = 1 and an empty x are returned as they are. N = 2 and N = 3 give C x 2,
/// first draws and last draws: posterior 1.4.0 loses a dimension when a half is one draw, and its
/// numbers are the contract.
Matrix split_chains(const Matrix& x);

/// The draws that split_chains leaves out: C for odd N > 1, else none.
Vector left_out_by_split(const Matrix& x);

}  // namespace gadwall
