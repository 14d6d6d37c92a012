// A Stan program as a target: it moves in the unconstrained space and keeps constrained values.
#pragma once

#include <atomic>

#include "gadwall/target.hpp"
#include "stan/model.hpp"

namespace gadwall::stan {

class StanTarget final : public Target {
 public:
  /// As StanModel.
  StanTarget(const std::string& library, const std::string& data, unsigned int seed)
      : model_(library, data, seed), data_(data) {}

  Index dim() const override { return model_.dim(); }
  std::vector<std::string> names() const override;

  /// Throws with the model's message where the model rejects a point.
  void evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const override;

  // No hessian_times: products by a library's automatic differentiation (BRIDGESTAN_AD_HESSIAN)
  // take more than the two gradients of a difference, and a choice by the clock would make the
  // draws depend on it.

  std::vector<std::string> output_names() const override { return model_.value_names(); }

  Index parameters() const override { return model_.parameters(); }

  /// Values that the program fails to make at a point are NaN, as in CmdStan's files; the first
  /// such failure is told on stderr.
  void output(ConstVectorRef x, const NoiseKey& key, VectorRef values) const override;

  std::unique_ptr<DrawMaker> draw_maker(std::span<const Index> wanted) const override;

  /// The values up to `most`, which are the first ones; as output().
  void fill(ConstVectorRef x, StanModel::Values most, bs_rng* generator, VectorRef values) const;

  /// The program's data but for arrays of more than a million numbers. Observed are `y`, and NAME
  /// where the program makes NAME_rep: Stan itself does not say it.
  TargetData data() const override;

  /// From the values of the parameters; others are ignored.
  Vector coordinates(const std::vector<std::string>& value_names,
                     ConstVectorRef values) const override;

  /// Stan's own start, and a scout as long as Stan's warm-up: a program may have any scales.
  TargetSuggestions suggestions() const override {
    return {"uniform:2", {{"scout", 1000, "initial-scale"}}};
  }

  bool has_threads() const { return model_.has_threads(); }
  const StanModel& model() const { return model_; }

 private:
  StanModel model_;
  std::string data_;  // Stan's JSON
  mutable std::atomic_flag failure_told_;
};

}  // namespace gadwall::stan
