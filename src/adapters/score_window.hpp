// The draws and scores of a window of warm-up, and the metric that they make
// (adapters/score_metric.hpp). While a window has too few of them, those of the window before are
// used, too.
#pragma once

#include "adapters/points.hpp"
#include "adapters/score_metric.hpp"
#include "adapters/warmup_windows.hpp"

namespace gadwall {

struct ScoreWindowOptions {
  std::optional<Metric> form;  // none: by the dimension and by how many points there are
  Index rank = ScoreMetricOptions{}.most_rank;
  Index most_kept = ScoreMetricOptions{}.most_kept;
  bool refine = false;         // ScoreMetricOptions
  bool is_on_its_way = false;  // to the bulk: what the chain saw last is the best it knows, so each
                               // window is used alone, and shrunk by more
};

/// What points make of the factor before. Nothing where no metric can be made.
std::optional<Factor> window_metric(const ScoreWindowOptions& options, const Matrix& x,
                                    const Matrix& scores, const Factor& before);

class ScoreWindow {
 public:
  explicit ScoreWindow(ScoreWindowOptions options) : options_(options) {}

  /// An iteration of the window. Long windows are thinned: more points teach no more.
  void add(const Lesson& lesson, const Window& window);

  /// The end of the window. before: the factor so far. Nothing where no metric can be made.
  std::optional<Factor> end(const Factor& before);

  /// The same in two steps, for those who have several: the points that count, and their end.
  const Points& gather(Index n);
  void forget();

  void archive(Archive& a);

 private:
  Index most_points(Index n) const;

  ScoreWindowOptions options_;
  Points points_;         // of the window before, and of this one
  Index iterations_ = 0;  // of this one
};

}  // namespace gadwall
