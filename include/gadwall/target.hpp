// A target: an unnormalised log density on R^n with its gradient, for K points at once.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gadwall/archive.hpp"
#include "gadwall/named_array.hpp"
#include "gadwall/noise.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

/// What a target was made from, kept in the draws file: what it takes as given, what as observed.
struct TargetData {
  std::vector<NamedArray> constant;
  std::vector<NamedArray> observed;
  std::optional<LabelledArray> values = {};  // none: each value, or x.1, x.2, ..., by its own name
};

/// Where a target knows better than the defaults of a run.
struct TargetSuggestions {
  std::string start;  // as start_from_text takes it; empty: none

  /// For samplers that have such an option, unless it, or `unless`, is given.
  struct Setting {
    std::string option;
    Index value;
    std::string unless;
  };
  std::vector<Setting> settings;
};

/// Makes what is kept of one chain's draws, one after the other.
class DrawMaker {
 public:
  virtual ~DrawMaker() = default;

  /// As Target::output, which may also depend on the draws before this one.
  virtual void make(ConstVectorRef x, const NoiseKey& key, VectorRef values) = 0;

  /// What the next draws depend on.
  virtual void archive(Archive& a) = 0;
};

/// Implementations are immutable after construction: several threads call them at once, so
/// scratch memory that must survive a call is thread_local.
class Target {
 public:
  virtual ~Target() = default;

  virtual Index dim() const = 0;

  /// One name a coordinate; the default is x.1, x.2, ..., as Stan writes the elements of a vector.
  virtual std::vector<std::string> names() const;

  /// logp[k] = log pi(x_k) and grad.col(k) = its gradient, for the K columns of x (n x K).
  /// An empty grad (size 0) asks for the density alone. A point outside the support, or where
  /// the density cannot be computed, is logp = -inf.
  virtual void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const = 0;

  /// out.col(k) = H(x_k) v_k with H the Hessian of log pi. Returns false where the target has no
  /// such product; callers then take a central difference of two gradients.
  virtual bool hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) const;

  /// What is kept of a draw: the coordinates themselves, unless a target says otherwise (a Stan
  /// program keeps constrained and generated values). One name a value.
  virtual std::vector<std::string> output_names() const { return names(); }

  /// How many of these values, the first, are parameters; the others follow from them.
  virtual Index parameters() const { return static_cast<Index>(output_names().size()); }

  /// Fills the values of one draw. Randomness, where a value needs it, comes from the key alone,
  /// so that a restarted run makes the same values.
  virtual void output(ConstVectorRef x, const NoiseKey& key, VectorRef values) const;

  /// One line for people: the model and what it was made from. Empty where there is nothing to say.
  virtual std::string statement() const { return ""; }
  /// For one chain of a run of which only these values are wanted (empty: all of them; the others
  /// may be anything). Null: output() makes every draw.
  virtual std::unique_ptr<DrawMaker> draw_maker(std::span<const Index> wanted) const;

  /// Small enough to stand beside the draws.
  virtual TargetData data() const { return {}; }

  /// Used wherever the target is sampled from, where nothing else is asked for.
  virtual TargetSuggestions suggestions() const { return {}; }

  /// The coordinates of a draw that was kept, to start from it. UsageError where they cannot be
  /// had from the values.
  virtual Vector coordinates(const std::vector<std::string>& value_names,
                             ConstVectorRef values) const;
};

/// What a C++ user has at hand: the log density of one point, which also fills the gradient.
template <class F>
concept DensityOfVectors = requires(const F& f, ConstVectorRef x, VectorRef grad) {
  { f(x, grad) } -> std::convertible_to<double>;
};

template <class F>
concept DensityOfSpans = requires(const F& f, std::span<const double> x, std::span<double> grad) {
  { f(x, grad) } -> std::convertible_to<double>;
};

/// A callable as a target. Several threads may call it at once when a run has several.
template <class F>
requires DensityOfVectors<F> || DensityOfSpans<F>
class CallableTarget final : public Target {
 public:
  CallableTarget(F density, Index dim, std::vector<std::string> names)
      : density_(std::move(density)), dim_(dim), names_(std::move(names)) {}

  Index dim() const override { return dim_; }

  std::vector<std::string> names() const override {
    return names_.empty() ? Target::names() : names_;
  }

  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override {
    thread_local Vector unwanted;  // the callable always fills a gradient
    unwanted.resize(dim_);
    for (Index k = 0; k < x.cols(); ++k) {
      logp[k] = grad.size() == 0 ? call(x.col(k), unwanted) : call(x.col(k), grad.col(k));
    }
  }

 private:
  double call(ConstVectorRef x, VectorRef grad) const {
    if constexpr (DensityOfVectors<F>) {
      return density_(x, grad);
    } else {
      return density_(std::span<const double>(x.data(), static_cast<std::size_t>(x.size())),
                      std::span<double>(grad.data(), static_cast<std::size_t>(grad.size())));
    }
  }

  F density_;
  Index dim_;
  std::vector<std::string> names_;
};

/// make_target([](auto x, auto grad) { grad = -x; return -0.5 * x.squaredNorm(); }, 3)
template <class F>
std::shared_ptr<const Target> make_target(F density, Index dim,
                                          std::vector<std::string> names = {}) {
  return std::make_shared<CallableTarget<F>>(std::move(density), dim, std::move(names));
}

}  // namespace gadwall
