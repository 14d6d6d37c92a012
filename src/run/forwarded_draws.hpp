// The draws of a process that has no files: kept until the next rest, then sent to the first one.
#pragma once

#include <vector>

#include "gadwall/run.hpp"

namespace gadwall {

class ForwardedDraws final : public Sink {
 public:
  explicit ForwardedDraws(const RunPlan& plan);

  /// The first process knows it from the tunings that are gathered.
  void begin_sampling(Index, const Tuning&) override {}
  void write(Index chain, const DrawStatistics& statistics, ConstVectorRef values) override;
  void write_warmup(Index chain, const DrawStatistics& statistics, ConstVectorRef values) override;

  /// All that came since the last call.
  std::string take();

  /// What take() gave in another process, to the sink.
  static void deliver(const RunPlan& plan, const std::string& bytes, Sink& to);

 private:
  void add(Index chain, bool is_warmup, const DrawStatistics& statistics, ConstVectorRef values);

  /// By chain, one draw after another: 1 for warm-up or 0, the statistics, the values.
  std::vector<std::vector<double>> kept_;
};

}  // namespace gadwall
