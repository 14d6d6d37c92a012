// Transforms as Stan defines them.
#include "gadwall/transforms.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gadwall/error.hpp"

namespace gadwall {
namespace {

/// log(1 / (1 + e^-a)), without overflow.
double log_logistic(double a) {
  return a < 0 ? a - std::log1p(std::exp(a)) : -std::log1p(std::exp(-a));
}

double logistic(double a) {
  return std::exp(log_logistic(a));
}

double logit(double p) {
  return std::log(p) - std::log1p(-p);
}

void refuse_unless(bool fits, const char* what) {
  if (!fits) throw UsageError(fmt::format("the values are not {}", what));
}

class Identity final : public Transform {
 public:
  explicit Identity(Index size) : size_(size) {}
  Index coordinates() const override { return size_; }
  Index values() const override { return size_; }
  double apply(ConstVectorRef x, VectorRef v) const override {
    v = x;
    return 0;
  }
  void pull_back(ConstVectorRef, ConstVectorRef, ConstVectorRef slope,
                 VectorRef grad) const override {
    grad = slope;
  }
  void invert(ConstVectorRef v, VectorRef x) const override { x = v; }

 private:
  Index size_;
};

/// v = e^x, log |J| = sum x.
class Exponential final : public Transform {
 public:
  explicit Exponential(Index size) : size_(size) {}
  Index coordinates() const override { return size_; }
  Index values() const override { return size_; }
  double apply(ConstVectorRef x, VectorRef v) const override {
    v = x.array().exp();
    return x.sum();
  }
  void pull_back(ConstVectorRef, ConstVectorRef v, ConstVectorRef slope,
                 VectorRef grad) const override {
    grad = v.array() * slope.array() + 1;
  }
  void invert(ConstVectorRef v, VectorRef x) const override {
    refuse_unless((v.array() > 0).all(), "positive");
    x = v.array().log();
  }

 private:
  Index size_;
};

/// v = lower + width s, s = 1 / (1 + e^-x); dv/dx = width s (1 - s).
class Interval final : public Transform {
 public:
  Interval(double lower, double upper, Index size)
      : lower_(lower), width_(upper - lower), size_(size) {}
  Index coordinates() const override { return size_; }
  Index values() const override { return size_; }
  double apply(ConstVectorRef x, VectorRef v) const override {
    double log_jacobian = static_cast<double>(size_) * std::log(width_);
    for (Index i = 0; i < size_; ++i) {
      v[i] = lower_ + width_ * logistic(x[i]);
      log_jacobian += log_logistic(x[i]) + log_logistic(-x[i]);
    }
    return log_jacobian;
  }
  void pull_back(ConstVectorRef x, ConstVectorRef, ConstVectorRef slope,
                 VectorRef grad) const override {
    for (Index i = 0; i < size_; ++i) {
      const double s = logistic(x[i]);
      grad[i] = width_ * s * logistic(-x[i]) * slope[i] + 1 - 2 * s;
    }
  }
  void invert(ConstVectorRef v, VectorRef x) const override {
    refuse_unless((v.array() > lower_).all() && (v.array() < lower_ + width_).all(),
                  "between the limits");
    for (Index i = 0; i < size_; ++i) x[i] = logit((v[i] - lower_) / width_);
  }

 private:
  double lower_;
  double width_;
  Index size_;
};

/// v_1 = x_1, v_k = v_{k-1} + e^{x_k}; log |J| = x_2 + ... + x_K.
class Ordered final : public Transform {
 public:
  explicit Ordered(Index size) : size_(size) {}
  Index coordinates() const override { return size_; }
  Index values() const override { return size_; }
  double apply(ConstVectorRef x, VectorRef v) const override {
    v[0] = x[0];
    for (Index k = 1; k < size_; ++k) v[k] = v[k - 1] + std::exp(x[k]);
    return x.tail(size_ - 1).sum();
  }
  void pull_back(ConstVectorRef x, ConstVectorRef, ConstVectorRef slope,
                 VectorRef grad) const override {
    double above = 0;  // of the slopes from k on
    for (Index k = size_ - 1; k >= 0; --k) {
      above += slope[k];
      grad[k] = k == 0 ? above : std::exp(x[k]) * above + 1;
    }
  }
  void invert(ConstVectorRef v, VectorRef x) const override {
    x[0] = v[0];
    for (Index k = 1; k < size_; ++k) {
      refuse_unless(v[k] > v[k - 1], "in increasing order");
      x[k] = std::log(v[k] - v[k - 1]);
    }
  }

 private:
  Index size_;
};

/// Breaks a stick of length 1: v_k = rest_k z_k, rest_{k+1} = rest_k (1 - z_k), the last value is
/// what is left; z_k = 1 / (1 + e^-a), a = x_k - log(K - k), so that x = 0 is the centre.
/// log |J| = sum log rest_k + log z_k + log(1 - z_k).
class Stick final : public Transform {
 public:
  explicit Stick(Index size) : size_(size) {}
  Index coordinates() const override { return size_ - 1; }
  Index values() const override { return size_; }
  double apply(ConstVectorRef x, VectorRef v) const override {
    double log_rest = 0;
    double log_jacobian = 0;
    for (Index k = 0; k < size_ - 1; ++k) {
      const double a = angle(x, k);
      log_jacobian += log_rest + log_logistic(a) + log_logistic(-a);
      v[k] = std::exp(log_rest + log_logistic(a));
      log_rest += log_logistic(-a);
    }
    v[size_ - 1] = std::exp(log_rest);
    return log_jacobian;
  }
  /// Backwards through the breaks; rest_bar is the derivative with respect to rest_{k+1}, times
  /// rest_{k+1}, so that nothing is divided by a rest that is nearly zero.
  void pull_back(ConstVectorRef x, ConstVectorRef v, ConstVectorRef slope,
                 VectorRef grad) const override {
    double rest_bar = v[size_ - 1] * slope[size_ - 1];
    for (Index k = size_ - 2; k >= 0; --k) {
      const double z = logistic(angle(x, k));
      const double own = v[k] * slope[k];
      grad[k] = (1 - z) * own - z * rest_bar + 1 - 2 * z;
      rest_bar += own + 1;
    }
  }
  void invert(ConstVectorRef v, VectorRef x) const override {
    refuse_unless((v.array() > 0).all() && std::abs(v.sum() - 1) < 1e-8, "positive with sum 1");
    double rest = 1;
    for (Index k = 0; k < size_ - 1; ++k) {
      x[k] = logit(v[k] / rest) + std::log(static_cast<double>(size_ - 1 - k));
      rest -= v[k];
    }
  }

 private:
  double angle(ConstVectorRef x, Index k) const {
    return x[k] - std::log(static_cast<double>(size_ - 1 - k));
  }

  Index size_;
};

Index checked(const std::string& name, Index size, Index least) {
  if (size >= least) return size;
  throw UsageError(fmt::format("{} has size {}, expected at least {}", name, size, least));
}

template <class Kind>
Parameter sized(std::string name, Index size) {
  const Index count = checked(name, size, 0);
  return {std::move(name), std::make_shared<Kind>(std::max<Index>(1, count)), count == 0};
}

}  // namespace

Parameter unbounded(std::string name, Index size) {
  return sized<Identity>(std::move(name), size);
}

Parameter positive(std::string name, Index size) {
  return sized<Exponential>(std::move(name), size);
}

Parameter bounded(std::string name, double lower, double upper, Index size) {
  const Index count = checked(name, size, 0);
  if (!(std::isfinite(lower) && std::isfinite(upper) && lower < upper)) {
    throw UsageError(
        fmt::format("{} is between {} and {}, expected finite limits, the lower one first", name,
                    lower, upper));
  }
  return {std::move(name), std::make_shared<Interval>(lower, upper, std::max<Index>(1, count)),
          count == 0};
}

Parameter ordered(std::string name, Index size) {
  const Index count = checked(name, size, 1);
  return {std::move(name), std::make_shared<Ordered>(count)};
}

Parameter simplex(std::string name, Index size) {
  const Index count = checked(name, size, 2);
  return {std::move(name), std::make_shared<Stick>(count)};
}

}  // namespace gadwall
