// A target behind the C interface.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gadwall/gadwall.h"
#include "gadwall/target.hpp"

struct gadwall_model {
  gadwall_model(std::shared_ptr<const gadwall::Target> model, std::string name);

  std::shared_ptr<const gadwall::Target> target;
  std::string title;                            // what files call it
  std::map<std::string, std::string> settings;  // what it was made with, for files
  std::vector<std::string> names;               // of its coordinates
  std::vector<std::string> values;              // of what is kept
  std::vector<std::string> warnings;
};

namespace gadwall::c {

/// What a callback throws that asked for the end.
struct StopAsked : std::exception {
  const char* what() const noexcept override { return "the density asked for the end"; }
};

/// A C function as a target.
class CallbackTarget final : public Target {
 public:
  using Density = std::function<int(ConstMatrixRef x, double* logp, double* grad)>;

  /// density: for a block of contiguous points; grad may be NULL.
  CallbackTarget(Index dim, std::vector<std::string> names, Density density)
      : dim_(dim), names_(std::move(names)), density_(std::move(density)) {}

  Index dim() const override { return dim_; }
  std::vector<std::string> names() const override {
    return names_.empty() ? Target::names() : names_;
  }
  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override;

 private:
  Index dim_;
  std::vector<std::string> names_;
  Density density_;
};

/// A target of one run. After a callback has asked for the end it is not called again, every point
/// is bad, and the run is told; nothing that follows may be kept.
class WatchedTarget final : public Target {
 public:
  explicit WatchedTarget(std::shared_ptr<const Target> target) : target_(std::move(target)) {}

  bool has_failed() const { return failed_; }
  /// Before the run: what to do when it has.
  void when_failed(std::function<void()> tell) { tell_ = std::move(tell); }

  Index dim() const override { return target_->dim(); }
  std::vector<std::string> names() const override { return target_->names(); }
  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override;
  bool hessian_times(ConstMatrixRef x, ConstMatrixRef v, MatrixRef out) const override {
    return target_->hessian_times(x, v, out);
  }
  std::vector<std::string> output_names() const override { return target_->output_names(); }
  Index parameters() const override { return target_->parameters(); }
  std::string statement() const override { return target_->statement(); }
  void output(ConstVectorRef x, const NoiseKey& key, VectorRef values) const override {
    target_->output(x, key, values);
  }
  std::unique_ptr<DrawMaker> draw_maker(std::span<const Index> wanted) const override {
    return target_->draw_maker(wanted);
  }
  TargetData data() const override { return target_->data(); }
  TargetSuggestions suggestions() const override { return target_->suggestions(); }
  Vector coordinates(const std::vector<std::string>& names, ConstVectorRef values) const override {
    return target_->coordinates(names, values);
  }

 private:
  std::shared_ptr<const Target> target_;
  std::function<void()> tell_;
  mutable std::atomic<bool> failed_{false};
};

}  // namespace gadwall::c
