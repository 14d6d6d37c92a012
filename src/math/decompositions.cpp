#include "math/decompositions.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>

namespace gadwall {

Matrix Spectrum::square_root() const {
  return vectors * values.cwiseSqrt().asDiagonal() * vectors.transpose();
}

Matrix Spectrum::inverse_square_root() const {
  return vectors * values.cwiseInverse().cwiseSqrt().asDiagonal() * vectors.transpose();
}

Spectrum spectrum_of(const Matrix& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric);
  return {solver.info() == Eigen::Success, solver.eigenvalues(), solver.eigenvectors()};
}

std::optional<Matrix> cholesky(const Matrix& covariance) {
  const Eigen::LLT<Matrix> root(covariance);
  if (root.info() != Eigen::Success) return std::nullopt;
  return Matrix(root.matrixL());
}

Matrix inverse_of_square(const Matrix& lower) {
  Matrix inverse = Matrix::Identity(lower.rows(), lower.cols());
  lower.triangularView<Eigen::Lower>().solveInPlace(inverse);
  lower.adjoint().triangularView<Eigen::Upper>().solveInPlace(inverse);
  return inverse;
}

void add_outer_products(const Matrix& x, double weight, Matrix& lower) {
  lower.selfadjointView<Eigen::Lower>().rankUpdate(x, weight);
}

void add_inner_products(const Matrix& x, Matrix& lower) {
  lower.selfadjointView<Eigen::Lower>().rankUpdate(x.transpose());
}

struct SymmetricSolver::Factorised {
  Eigen::LDLT<Matrix> ldlt;
};

SymmetricSolver::SymmetricSolver(const Matrix& a)
    : factorised_(std::make_shared<Factorised>(Factorised{Eigen::LDLT<Matrix>(a)})) {}

Vector SymmetricSolver::solve(const Vector& b) const {
  return factorised_->ldlt.solve(b);
}

Matrix SymmetricSolver::solve(const Matrix& b) const {
  return factorised_->ldlt.solve(b);
}

Matrix solve_by_lu(const Matrix& a, const Matrix& b) {
  return Eigen::PartialPivLU<Matrix>(a).solve(b);
}

Inverse inverse_by_lu(const Matrix& a) {
  const Eigen::PartialPivLU<Matrix> lu(a);
  return {lu.inverse(), lu.matrixLU().diagonal().cwiseAbs().array().log().sum()};
}

Matrix orthonormal_basis(const Matrix& x) {
  return Eigen::HouseholderQR<Matrix>(x).householderQ() *
         Matrix::Identity(x.rows(), std::min(x.rows(), x.cols()));
}

Matrix basis_by_rank(const Matrix& x) {
  if (x.cols() == 0) return x;  // Eigen's decomposition takes no matrix without columns
  const Eigen::ColPivHouseholderQR<Matrix> qr(x);
  return qr.householderQ() * Matrix::Identity(x.rows(), std::min(qr.rank(), x.rows()));
}

void make_orthonormal(Matrix& x) {
  const Eigen::LLT<Matrix> root(x.transpose() * x);
  root.matrixU().solveInPlace<Eigen::OnTheRight>(x);
}

}  // namespace gadwall
