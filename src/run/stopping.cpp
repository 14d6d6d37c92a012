#include "run/stopping.hpp"

#include "diagnostics/thresholds.hpp"
#include "gadwall/summary.hpp"

namespace gadwall {
namespace {

constexpr double kHopeless = 0.5;  // a look is left out where this share of the ESS is not expected
constexpr Index kFurthest = Index{1} << 50;

}  // namespace

bool StoppingRule::is_enough(Index draws, bool are_last, Sink& sink) {
  if (ess_ <= 0) return false;
  if (draws >= next_look_ || (are_last && satisfied_ < ess_)) look(draws, sink);
  return satisfied_ >= ess_;
}

void StoppingRule::look(Index draws, Sink& sink) {
  const Summary summary = summarise(sink.so_far(), {.paper_ess = false});
  sink.summarised(summary);
  if (summary.ess_worst >= ess_ && summary.rhat_max < kMostRhat) satisfied_ = ess_;
  if (draws < next_look_) return;  // out of turn: more draws would be looked at as ever
  // NaN, of a parameter that does not move, predicts nothing: look again at the next occasion.
  const double predicted = summary.ess_worst > 0 ? summary.ess_worst : ess_;
  const auto expected = [&] {
    return predicted * static_cast<double>(next_look_) / static_cast<double>(draws);
  };
  do {
    next_look_ *= 2;
  } while (next_look_ <= draws || (expected() < kHopeless * ess_ && next_look_ < kFurthest));
}

void StoppingRule::archive(Archive& a) {
  a("next look", next_look_);
  a("satisfied", satisfied_);
}

}  // namespace gadwall
