// Moves the first lane of every batch by another kernel; the others wait where they are, at no
// cost.
#pragma once

#include <memory>
#include <utility>

#include "gadwall/kernel.hpp"

namespace gadwall {

class FirstLane final : public Kernel {
 public:
  explicit FirstLane(std::unique_ptr<Kernel> kernel) : kernel_(std::move(kernel)) {}
  bool uses_gradient() const override { return kernel_->uses_gradient(); }
  std::vector<Statistic> own_statistics() const override { return kernel_->own_statistics(); }
  void step(Evaluator& density, const Tuning& tuning, const State& now, const LaneNoise& noise,
            Wants wants, Transition& out) const override;

 private:
  std::unique_ptr<Kernel> kernel_;
};

}  // namespace gadwall
