// One visit to the form per call; from a Metric to its form, the table is the variant itself.
#include "gadwall/factor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <type_traits>

#include "gadwall/error.hpp"

namespace gadwall {
namespace {

template <std::size_t... I>
constexpr bool in_order(std::index_sequence<I...>) {
  return ((std::variant_alternative_t<I, Factor::Form>::form == static_cast<Metric>(I)) && ...);
}
constexpr auto kFormIndices = std::make_index_sequence<std::variant_size_v<Factor::Form>>();
static_assert(in_order(kFormIndices), "Factor::kind() is the index of the form");

/// visit(std::type_identity<F>()) for every form F.
template <class Visit>
void for_each_form(const Visit& visit) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (visit(std::type_identity<std::variant_alternative_t<I, Factor::Form>>()), ...);
  }
  (kFormIndices);
}

/// make(std::type_identity<F>()) for the form F of that name.
template <class Result, class Make>
Result with_form(Metric metric, const Make& make) {
  std::optional<Result> result;
  for_each_form([&](auto type) {
    if (decltype(type)::type::form == metric) result.emplace(make(type));
  });
  return std::move(*result);
}

}  // namespace

std::string to_string(Metric metric) {
  return with_form<std::string>(metric, [](auto type) { return decltype(type)::type::name; });
}

Metric metric_from_string(const std::string& name) {
  std::vector<std::string> names;
  for_each_form([&](auto type) { names.emplace_back(decltype(type)::type::name); });
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Metric>(i);
  }
  const std::string last = names.back();
  names.pop_back();
  throw UsageError(
      fmt::format("metric is '{}', expected {} or {}", name, fmt::join(names, ", "), last));
}

std::vector<std::string> names_or_auto(const std::vector<Metric>& forms) {
  std::vector<std::string> names;
  for (const Metric form : forms) names.push_back(to_string(form));
  names.emplace_back("auto");
  return names;
}

bool is_correlated(Metric metric) {
  return with_form<bool>(metric, [](auto type) { return decltype(type)::type::is_correlated; });
}

Factor Factor::first(Metric form, Index n, double scale) {
  return with_form<Factor>(form, [&](auto type) -> Factor {
    return decltype(type)::type::from_diagonal(Vector::Constant(n, scale));
  });
}

std::optional<Factor> Factor::from_covariance(Metric form, const Matrix& covariance) {
  return with_form<std::optional<Factor>>(form, [&](auto type) -> std::optional<Factor> {
    return decltype(type)::type::from_covariance(covariance);
  });
}

Factor Factor::from_parts(Metric form, Index n, const std::vector<NamedArray>& parts) {
  if (n < 0) throw UsageError(fmt::format("a factor of dimension {}, expected 0 or more", n));
  return with_form<Factor>(
      form, [&](auto type) -> Factor { return decltype(type)::type::from_parts(n, parts); });
}

std::vector<std::string> Factor::part_names(Metric form) {
  return with_form<std::vector<std::string>>(
      form, [](auto type) { return decltype(type)::type::part_names(); });
}

Index Factor::dim() const {
  return std::visit([](const auto& form) { return form.dim(); }, form_);
}

void Factor::refuse_form(Metric needed) const {
  throw UsageError(fmt::format("a {} factor is needed here, and this one is {}", to_string(needed),
                               to_string(kind())));
}

void Factor::times(ConstMatrixRef v, MatrixRef out) const {
  std::visit([&](const auto& form) { form.times(v, out); }, form_);
}

void Factor::transpose_times(ConstMatrixRef g, MatrixRef out) const {
  std::visit([&](const auto& form) { form.transpose_times(g, out); }, form_);
}

void Factor::both_times(ConstMatrixRef g, double half, MatrixRef whitened, MatrixRef move,
                        MatrixRef moved) const {
  std::visit([&](const auto& form) { form.both_times(g, half, whitened, move, moved); }, form_);
}

double Factor::log_determinant() const {
  return std::visit([](const auto& form) { return form.log_determinant(); }, form_);
}

Matrix Factor::matrix() const {
  return std::visit([](const auto& form) { return form.matrix(); }, form_);
}

Vector Factor::matrix_diagonal() const {
  return std::visit([](const auto& form) { return form.matrix_diagonal(); }, form_);
}

Matrix Factor::covariance() const {
  return std::visit([](const auto& form) { return form.covariance(); }, form_);
}

Matrix Factor::covariance_of(const std::vector<Index>& coordinates) const {
  return std::visit([&](const auto& form) { return form.covariance_of(coordinates); }, form_);
}

Vector Factor::covariance_diagonal() const {
  return std::visit([](const auto& form) { return form.covariance_diagonal(); }, form_);
}

Vector Factor::log_scales() const {
  const Index n = dim();
  Vector scales(2 * n);
  scales.head(n) = matrix_diagonal().array().log();
  scales.tail(n) = covariance_diagonal().array().log() / 2;
  return scales;
}

Factor Factor::scaled(double c) const {
  return std::visit([c](const auto& form) -> Factor { return form.scaled(c); }, form_);
}

Factor Factor::in_form(Metric form) const {
  if (kind() == form) return *this;
  if (!is_correlated(kind())) {  // nothing to round
    return with_form<Factor>(form, [&](auto type) -> Factor {
      return decltype(type)::type::from_diagonal(matrix_diagonal());
    });
  }
  const std::optional<Factor> found =
      from_covariance(form, is_correlated(form) ? covariance() : Matrix(covariance_diagonal()));
  if (!found) throw UsageError("a factor that is not finite has no other form");
  return *found;
}

bool Factor::is_finite() const {
  return std::visit([](const auto& form) { return form.is_finite(); }, form_);
}

std::vector<NamedArray> Factor::parts() const {
  return std::visit([](const auto& form) { return form.parts(); }, form_);
}

void Factor::archive(Archive& a) {
  struct Part {
    NamedArray array;
    void archive(Archive& to) {
      to("shape", array.shape);
      to("values", array.values);
    }
  };
  std::string form = to_string(kind());
  Index n = dim();
  a("form", form);
  a("dim", n);
  if (n != dim()) {
    throw RunError(
        fmt::format("the factor of the checkpoint has dimension {}, expected {}", n, dim()));
  }
  std::vector<NamedArray> named = parts();
  if (!a.is_saving()) {
    named.clear();
    for (const std::string& name : part_names(metric_from_string(form)))
      named.push_back({name, {}, {}});
  }
  for (NamedArray& array : named) {
    Part part{std::move(array)};
    a(part.array.name.c_str(), part);
    array = std::move(part.array);
  }
  if (a.is_saving()) return;
  try {
    *this = from_parts(metric_from_string(form), n, named);
  } catch (const UsageError& error) {
    throw RunError(fmt::format("the checkpoint cannot be used: {}", error.what()));
  }
}

}  // namespace gadwall
