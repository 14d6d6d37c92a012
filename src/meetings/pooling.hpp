// One metric and one step for all lanes of a run, learnt by all of them in windows.
//
// At every iteration one update of dual averaging on the mean acceptance of all lanes. At the end
// of a window the metric is made anew from all draws and scores of this window and the one before
// (adapters/score_metric.hpp), and lanes that are lost go on from good ones. The stage ends after
// at least two windows, when lanes agree (R-hat of the window below a limit) and the metric has
// stood still; and in any case at a limit of windows or of gradients.
//
// Before the metric is made, the points of the window may show a funnel and the change of variables
// that takes it away (warps/find_warp.hpp): all lanes and points then go on in the new coordinates,
// for at least one more window. Where none pays nothing is different.
#pragma once

#include <string>

#include "adapters/dual_averaging.hpp"
#include "meetings/gather.hpp"
#include "meetings/shared_acceptance.hpp"

namespace gadwall {

struct PoolingOptions {
  std::string metric = "auto";  // auto: by the dimension and by how many points there are
  std::string from = "scores";  // draws: their covariance, shrunk as Stan does
  Integrator integrator = Integrator::shear;
  DualAveragingOptions step = {};
  double largest_step = 1.2;      // beyond it tails stick, however well the bulk accepts
  Index first_window = 0;         // iterations; 0: from the dimension
  Index most_windows = 5;         // each twice as long as the one before
  double rhat = 1.1;              // lanes agree below it
  double scale_tolerance = 0.5;   // of a log scale, between two windows
  double most_gradients = 1e5;    // of the stage
  double least_linearity = 0.35;  // of the scores in the draws; below it the target is curved
  std::string warp = "auto";      // off: no change of variables
  Index most_warps = 3;           // changes of variables, each after a window
  double better_warp = 0.6;       // the divergence of a new one over that of the present one

  void describe(OptionFields& o) {
    o("metric", metric, "form of the learnt L",
      names_or_auto({Metric::diag, Metric::dense, Metric::low_rank}));
    o("metric-from", from,
      "what the metric is made from, scores: gradients and draws; draws: of diag and dense",
      {"scores", "draws"});
    o("integrator", integrator,
      "of nuts and of the first candidate; two-stage steps are a candidate in any case");
    o("largest-step", largest_step, "no step is longer", above(0));
    o("first-window", first_window, "length of the first window; 0: from the dimension",
      between(0, 1e9));
    o("most-gradients", most_gradients, "of the stage that learns the metric, of all lanes",
      above(0));
    o("warp", warp, "change of variables against funnels: off, or auto where it pays",
      {"off", "auto"});
  }
};

class Pooling final : public Meeting {
 public:
  explicit Pooling(const PoolingOptions& options) : options_(options), averaging_(options.step) {}

  Index next(Index done) const override { return done + 1; }
  bool hold(std::span<Member> mine, Team& team) override;
  void finish(std::span<Member> mine, Team& team) override;
  std::vector<Note> findings() const override { return findings_; }
  void archive(Archive& a) override;

 private:
  void begin(std::span<Member> mine, Team& team);
  bool end_window(std::span<Member> mine, Team& team);
  double linearity_of_window(std::vector<Points> batches) const;
  bool renew_warp(std::vector<Points>& batches, std::span<Member> mine);
  void forget_warp(std::span<Member> mine) const;
  Index free_lost(std::span<Member> mine, Team& team) const;
  double renew_metric(const GatheredPoints& points, std::span<Member> mine) const;
  bool is_curved() const;

  PoolingOptions options_;
  DualAveraging averaging_;
  bool begun_ = false;
  double gradients_before_ = 0;
  Index window_ = 0;      // length of the present one
  Index window_end_ = 0;  // iteration of the stage
  double linearity_ = 1;  // of the scores in the draws, in the last window; NaN: not known
  Index windows_ = 0;     // that are over
  Index warps_ = 0;       // changes of variables
  bool warp_is_given_ = false;
  SharedAcceptance acceptance_;
  std::vector<Note> findings_;  // a row per window
};

}  // namespace gadwall
