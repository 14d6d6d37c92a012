#include "run/before_run.hpp"

#include <algorithm>

#include "gadwall/check_gradient.hpp"
#include "gadwall/error.hpp"
#include "gadwall/host.hpp"
#include "gadwall/kernel.hpp"
#include "gadwall/noise.hpp"

namespace gadwall {
namespace {

constexpr Index kMostChecked = 500;  // coordinates

}  // namespace

std::vector<std::string> warnings_before(const RunPlan& plan, const SampleOptions& options) {
  const Target& target = *plan.target;
  const bool needed = std::ranges::any_of(
      plan.stages, [](const Stage& stage) { return stage.kernel()->uses_gradient(); });
  if (!options.check_gradient || !needed || target.dim() > kMostChecked) return {};
  Vector x(target.dim());
  fill_normal(NoiseKey{.seed = 1}, Purpose::probe, x);
  GradientCheck check;
  try {
    check = check_gradient(target, x);
  } catch (const std::exception&) {  // not finite there, or it throws: the run will see
    return {};
  }
  if (check.is_right()) return {};
  const std::string warning = to_text(check, target) + ": is it right?";
  say(MessageKind::warning, warning);
  return {warning};
}

}  // namespace gadwall
