#include "run/kept_values.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace gadwall {

KeptValues::KeptValues(const RunPlan& plan, Index lanes)
    : plan_(plan),
      all_(static_cast<Index>(plan.target->output_names().size())),
      saved_(static_cast<Index>(plan.run.save.size())) {
  for (Index k = 0; k < lanes; ++k) makers_.push_back(plan.target->draw_maker(plan.run.save));
}

ConstVectorRef KeptValues::of(Index lane, ConstVectorRef x, const NoiseKey& key) {
  if (DrawMaker* maker = makers_[static_cast<std::size_t>(lane)].get()) {
    maker->make(x, key, all_);
  } else {
    plan_.target->output(x, key, all_);
  }
  if (plan_.run.save.empty()) return all_;
  for (Index i = 0; i < saved_.size(); ++i) {
    saved_[i] = all_[plan_.run.save[static_cast<std::size_t>(i)]];
  }
  return saved_;
}

void KeptValues::take(Index lane, KeptValues& others, Index from) {
  makers_[static_cast<std::size_t>(lane)] =
      std::move(others.makers_[static_cast<std::size_t>(from)]);
}

bool KeptValues::evolve() const {
  return std::ranges::any_of(makers_, [](const auto& maker) { return maker != nullptr; });
}

void KeptValues::archive(Archive& a) {
  for (std::size_t k = 0; k < makers_.size(); ++k) {
    if (makers_[k] != nullptr) a(std::to_string(k).c_str(), *makers_[k]);
  }
}

}  // namespace gadwall
