// The vector and matrix types that cross the library's boundary.
#pragma once

#include <Eigen/Core>

namespace gadwall {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;  // column-major: one lane (one point) is one contiguous column

// Views. A column block of a Matrix binds without a copy.
using ConstVectorRef = Eigen::Ref<const Vector>;
using VectorRef = Eigen::Ref<Vector>;
using ConstMatrixRef = Eigen::Ref<const Matrix>;
using MatrixRef = Eigen::Ref<Matrix>;

}  // namespace gadwall
