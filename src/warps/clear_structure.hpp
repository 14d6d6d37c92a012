#pragma once

#include <optional>
#include <vector>

#include "gadwall/types.hpp"

namespace gadwall {

/// Hierarchies as people write them, effects u_j ~ normal(sum_h L_jh u_h, e^d) with means u_h that
/// are members too, or 0, have
///
///   Lambda1 = sum_j lambda_j a_j a_j^T,     a_j = e_j - sum_h L_jh e_h.
///
/// An estimate is near to that, and in the neck what is near is not enough: an error in the
/// directions that Lambda1 leaves free is multiplied by E. So where the estimate has this structure
/// it is made to have it exactly, with L_jh of 0, 1 and -1 where it is near to them. Nothing where
/// it has not. driven: m x m, symmetric, in the model's units; share: of the precision of each
/// member, at the centre of the driver, that it drives.
std::optional<Matrix> with_clear_structure(const Matrix& driven, const Vector& share);

/// Which members are such means, where there are two effects or more for each; none else.
std::vector<bool> are_means(const Matrix& driven);

}  // namespace gadwall
