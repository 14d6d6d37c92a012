// The sampler for a target of which nothing is known. Four stages:
//
//   alone       lanes find the bulk, each by itself (adapters/alone.hpp, meetings/arrival.hpp)
//   pooled      all lanes learn one metric from draws and scores (meetings/pooling.hpp)
//   trajectory  step and length of trajectories are chosen by what they bring (meetings/choice.hpp)
//   draws       trajectories as chosen
#pragma once

#include "gadwall/sampler.hpp"
#include "kernels/chosen.hpp"
#include "meetings/choice.hpp"
#include "meetings/pooling.hpp"

namespace gadwall {

struct AutoOptions {
  std::string alone = "auto";
  PoolingOptions pooling;
  ChoiceOptions choice;
  ChosenOptions draws;

  void describe(OptionFields& o) {
    o("alone", alone, "first stage, in which lanes look for the bulk: off where they begin in it",
      {"off", "auto"});
    pooling.describe(o);
    choice.describe(o);
    draws.describe(o);
  }
};

std::vector<Stage> auto_stages(AutoOptions options, const Circumstances& c);

}  // namespace gadwall
