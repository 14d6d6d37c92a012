// Where chains begin.
#pragma once

#include <memory>
#include <string>

#include "gadwall/kernel.hpp"

namespace gadwall {

/// Places lanes; knows nothing of samplers.
class Start {
 public:
  virtual ~Start() = default;

  /// Puts a lane at a point with a finite log density, and fills that and the gradient. The key
  /// names the chain; its iteration is 0. RunError where no such point is found.
  virtual void place(Evaluator& density, const NoiseKey& key, Index lane, State& state) const = 0;

  /// UsageError where it is for another dimension or number of chains.
  virtual void check(Index, Index) const {}

  /// As in messages and files: "normal:1".
  virtual std::string name() const = 0;
};

using StartPart = std::shared_ptr<const Start>;

/// N(0, sd^2 I), as in the paper.
StartPart normal_start(double sd = 1);

/// Uniform in (-radius, radius)^n, as in Stan; 0: the origin.
StartPart uniform_start(double radius = 2);

/// Chain first_chain + c at column c, n x chains; first_chain: RunOptions::chain_offset.
StartPart given_start(Matrix points, Index first_chain = 0);

/// From where another start puts a chain, up the gradient out of the far tail (far_tail.hpp).
StartPart far_tail_start(StartPart from);

/// "normal", "normal:SD", "uniform:R", each also with "+far-tail"; UsageError for anything else.
StartPart start_from_text(const std::string& text);

}  // namespace gadwall
