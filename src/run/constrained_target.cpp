// A density of constrained values as a target.
#include <fmt/format.h>

#include <algorithm>

#include "gadwall/error.hpp"
#include "gadwall/transforms.hpp"

namespace gadwall {
namespace {

class ConstrainedTarget final : public Target {
 public:
  ConstrainedTarget(std::vector<Parameter> parameters, ConstrainedDensity density)
      : parameters_(std::move(parameters)), density_(std::move(density)) {
    for (const Parameter& p : parameters_) {
      dim_ += p.transform->coordinates();
      add_names(p, p.transform->coordinates(), names_);
      add_names(p, p.transform->values(), value_names_);
    }
    if (dim_ == 0) throw UsageError("there are no parameters");
  }

  Index dim() const override { return dim_; }
  std::vector<std::string> names() const override { return names_; }
  std::vector<std::string> output_names() const override { return value_names_; }

  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override {
    const auto count = static_cast<Index>(value_names_.size());
    Vector v(count);
    Vector slope(count);
    for (Index k = 0; k < x.cols(); ++k) {
      const double log_jacobian = constrain(x.col(k), v);
      logp[k] = density_(v, slope) + log_jacobian;
      if (grad.size() > 0) pull_back(x.col(k), v, slope, grad.col(k));
    }
  }

  void output(ConstVectorRef x, const NoiseKey&, VectorRef values) const override {
    constrain(x, values);
  }

  Vector coordinates(const std::vector<std::string>& names, ConstVectorRef values) const override {
    Vector v(static_cast<Index>(value_names_.size()));
    for (std::size_t i = 0; i < value_names_.size(); ++i) {
      const auto found = std::find(names.begin(), names.end(), value_names_[i]);
      if (found == names.end()) {
        throw UsageError(fmt::format("there is no value of '{}'", value_names_[i]));
      }
      v[static_cast<Index>(i)] = values[found - names.begin()];
    }
    Vector x(dim_);
    visit([&](const Parameter& p, Index at, Index value_at) {
      try {
        p.transform->invert(v.segment(value_at, p.transform->values()),
                            x.segment(at, p.transform->coordinates()));
      } catch (const UsageError& error) {
        throw UsageError(fmt::format("{}: {}", p.name, error.what()));
      }
    });
    return x;
  }

 private:
  static void add_names(const Parameter& p, Index count, std::vector<std::string>& names) {
    if (p.is_scalar) return names.push_back(p.name);
    for (Index i = 1; i <= count; ++i) names.push_back(fmt::format("{}.{}", p.name, i));
  }

  template <class Visit>
  void visit(Visit what) const {
    Index at = 0;
    Index value_at = 0;
    for (const Parameter& p : parameters_) {
      what(p, at, value_at);
      at += p.transform->coordinates();
      value_at += p.transform->values();
    }
  }

  double constrain(ConstVectorRef x, VectorRef v) const {
    double log_jacobian = 0;
    visit([&](const Parameter& p, Index at, Index value_at) {
      log_jacobian += p.transform->apply(x.segment(at, p.transform->coordinates()),
                                         v.segment(value_at, p.transform->values()));
    });
    return log_jacobian;
  }

  void pull_back(ConstVectorRef x, ConstVectorRef v, ConstVectorRef slope, VectorRef grad) const {
    visit([&](const Parameter& p, Index at, Index value_at) {
      const Index n = p.transform->coordinates();
      const Index m = p.transform->values();
      p.transform->pull_back(x.segment(at, n), v.segment(value_at, m), slope.segment(value_at, m),
                             grad.segment(at, n));
    });
  }

  std::vector<Parameter> parameters_;
  ConstrainedDensity density_;
  Index dim_ = 0;
  std::vector<std::string> names_;
  std::vector<std::string> value_names_;
};

}  // namespace

std::shared_ptr<const Target> make_target(std::vector<Parameter> parameters,
                                          ConstrainedDensity density) {
  return std::make_shared<ConstrainedTarget>(std::move(parameters), std::move(density));
}

}  // namespace gadwall
