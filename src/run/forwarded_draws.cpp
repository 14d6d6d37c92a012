#include "run/forwarded_draws.hpp"

#include "run/packed.hpp"

namespace gadwall {

ForwardedDraws::ForwardedDraws(const RunPlan& plan)
    : kept_(static_cast<std::size_t>(plan.run.chains)) {}

void ForwardedDraws::write(Index chain, const DrawStatistics& statistics, ConstVectorRef values) {
  add(chain, false, statistics, values);
}

void ForwardedDraws::write_warmup(Index chain, const DrawStatistics& statistics,
                                  ConstVectorRef values) {
  add(chain, true, statistics, values);
}

void ForwardedDraws::add(Index chain, bool is_warmup, const DrawStatistics& statistics,
                         ConstVectorRef values) {
  std::vector<double>& kept = kept_[static_cast<std::size_t>(chain)];
  kept.push_back(is_warmup ? 1 : 0);
  kept.insert(kept.end(), statistics.begin(), statistics.end());
  kept.insert(kept.end(), values.begin(), values.end());
}

std::string ForwardedDraws::take() {
  std::vector<std::string> chains;
  for (std::size_t c = 0; c < kept_.size(); ++c) {
    if (kept_[c].empty()) continue;
    chains.push_back(std::to_string(c));
    chains.push_back(bytes_of(kept_[c]));
    kept_[c].clear();
  }
  return pack(chains);
}

void ForwardedDraws::deliver(const RunPlan& plan, const std::string& bytes, Sink& to) {
  const auto statistics = static_cast<Index>(plan.statistics.size());
  const auto values = static_cast<Index>(plan.output_names().size());
  const std::vector<std::string> chains = unpack(bytes);
  for (std::size_t i = 0; i + 1 < chains.size(); i += 2) {
    const Index chain = std::stoll(chains[i]);
    const std::vector<double> numbers = numbers_of(chains[i + 1]);
    const Index width = 1 + statistics + values;
    for (const double* draw = numbers.data(); draw != numbers.data() + numbers.size();
         draw += width) {
      const Eigen::Map<const Vector> said(draw + 1, statistics);
      const Eigen::Map<const Vector> kept(draw + 1 + statistics, values);
      draw[0] != 0 ? to.write_warmup(chain, said, kept) : to.write(chain, said, kept);
    }
  }
}

}  // namespace gadwall
