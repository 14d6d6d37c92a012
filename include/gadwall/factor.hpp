// A factor A of a covariance: A A^T is the covariance of a proposal, or the inverse mass of a
// Hamiltonian kernel. Kept in the cheapest form that holds it, which callers need not know.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gadwall/archive.hpp"
#include "gadwall/factor_forms.hpp"

namespace gadwall {

/// "unit", "diag", "dense", "lowrank".
std::string to_string(Metric metric);
Metric metric_from_string(const std::string& name);  // UsageError where there is no such metric

/// Of these forms, and "auto": what options take that leave the choice to the run.
std::vector<std::string> names_or_auto(const std::vector<Metric>& forms);

/// Whether factors of this form hold more than one scale per coordinate.
bool is_correlated(Metric metric);

class Factor {
 public:
  using Form = std::variant<UnitFactor, DiagonalFactor, LowerFactor, LowRankFactor>;

  template <class F>
  requires std::same_as<decltype(F::form), const Metric> Factor(F form)
      : form_(std::move(form)) {}  // NOLINT: a form is a factor

  static Factor unit(Index n) { return UnitFactor(n); }
  static Factor diagonal(Vector entries) { return DiagonalFactor(std::move(entries)); }
  static Factor dense(const Matrix& lower) { return LowerFactor(lower); }
  static Factor low_rank(Vector scales, Matrix directions, Vector eigenvalues) {
    return LowRankFactor(std::move(scales), std::move(directions), std::move(eigenvalues));
  }

  /// scale times the identity. UsageError where the form cannot hold it (unit, a scale but 1).
  static Factor first(Metric form, Index n, double scale);

  /// covariance: n x n, or n x 1: the variances of independent coordinates. Nothing where it is not
  /// finite or not positive definite.
  static std::optional<Factor> from_covariance(Metric form, const Matrix& covariance);

  /// UsageError that names the array and what is wrong with it. Nothing larger than the parts is
  /// allocated, so that they may come from a file that nobody has checked.
  static Factor from_parts(Metric form, Index n, const std::vector<NamedArray>& parts);
  static std::vector<std::string> part_names(Metric form);

  Metric kind() const { return static_cast<Metric>(form_.index()); }
  Index dim() const;

  /// For learners of one form; UsageError that says which one is needed.
  template <class F>
  F& as() {
    if (F* form = std::get_if<F>(&form_)) return *form;
    refuse_form(F::form);
  }
  template <class F>
  const F& as() const {
    if (const F* form = std::get_if<F>(&form_)) return *form;
    refuse_form(F::form);
  }
  template <class F>
  F* get_if() {
    return std::get_if<F>(&form_);
  }
  template <class Visit>
  decltype(auto) visit(Visit&& visitor) const {
    return std::visit(std::forward<Visit>(visitor), form_);
  }

  /// out = A v, for the K columns of v. out must not overlap v.
  void times(ConstMatrixRef v, MatrixRef out) const;

  /// out = A^T g, for the K columns of g. out must not overlap g.
  void transpose_times(ConstMatrixRef g, MatrixRef out) const;

  /// whitened = A^T g, move += half whitened, moved = A move: both products of a Langevin proposal,
  /// for one lane and a lower factor in a single visit to it.
  void both_times(ConstMatrixRef g, double half, MatrixRef whitened, MatrixRef move,
                  MatrixRef moved) const;

  double log_determinant() const;
  Matrix matrix() const;
  Vector matrix_diagonal() const;

  Matrix covariance() const;
  Matrix covariance_of(const std::vector<Index>& coordinates) const;
  Vector covariance_diagonal() const;

  /// 2 n numbers that stand still when the factor does: log A_ii, and log of the length of row i,
  /// which is the standard deviation of coordinate i.
  Vector log_scales() const;

  /// c A, c > 0. A unit factor becomes a diagonal one.
  Factor scaled(double c) const;

  /// The same covariance in another form: exact where that can hold it, else its variances.
  Factor in_form(Metric form) const;

  bool is_finite() const;

  /// The numbers of the factor as named arrays, for files and pages; none of a unit factor.
  std::vector<NamedArray> parts() const;

  /// Restores any form; RunError where it has another dimension.
  void archive(Archive& a);

 private:
  [[noreturn]] void refuse_form(Metric needed) const;

  Form form_;
};

}  // namespace gadwall
