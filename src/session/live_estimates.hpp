// How good the draws are so far, while they come: O(1) memory per parameter and chain.
//
// Of every chain there are block means (session/block_means.hpp), short chains y of their own.
// Their ESS, by the summary's estimator, which sees the halves of the chains and the spread between
// them, gives the variance of the mean over all draws, var(y) / ESS(y), and so
//
//   ESS(x) = ESS(y) var(x) / var(y),
//
// var being the variance within the halves plus that of their means. The smaller of that for x and
// for (x - mean)^2 counts. R-hat compares the halves of the chains, in x and in (x - mean)^2. Where
// the halves are well apart, the ranks and tails of the first draws of the blocks serve as those of
// all draws do in the summary. Where a draw
// has thousands of values, some thousands of them are followed; the estimator goes over those that
// quick batch means, b var(block means) for the variance of N x mean, find worst.
#pragma once

#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "files/draw_writer.hpp"
#include "session/block_means.hpp"

namespace gadwall::session {

struct Estimates {
  double worst_ess = 0;  // of all chains together, of the worst parameter; NaN: too early
  std::string worst_name;
  double rhat = 0;  // the largest; NaN: too early
  std::string rhat_name;
  std::vector<double> chain_ess;     // of each chain, its worst parameter
  std::vector<std::string> unmoved;  // parameters whose draws are all the same
  bool nothing_moves = false;        // all of them
};

class LiveEstimates final : public files::DrawWriter {
 public:
  explicit LiveEstimates(const RunPlan& plan);

  void append(const files::ChainBlock& block) override;

  /// The draws that a run has already, before it goes on.
  void recall(const std::string& netcdf);

  /// Any thread may ask. closely: so many values, those that quick measures find worst, are looked
  /// at closely, which is most of the work; of a single chain a quarter of that.
  Estimates now(std::size_t closely = 16) const;

 private:
  struct Quality {
    double ess;
    double rhat;
  };
  /// Of one value: the blocks of the halves of the chains, a half per column.
  struct Halves {
    Index block_draws;
    Matrix means;
    Matrix squares;
    Matrix draws;
  };
  Halves halves(Index value, std::span<const BlockMeans> chains) const;
  static Quality with_ranks(Quality q, const Matrix& some_draws);
  Quality quality(Index value, std::span<const BlockMeans> chains) const;
  double chain_ess(const BlockMeans& chain, const std::vector<Index>& worst) const;
  void judge(const std::set<Index>& candidates, Estimates& result) const;

  std::vector<Index> followed_;     // values of a draw
  std::vector<std::string> names_;  // of them
  mutable std::mutex mutex_;
  std::vector<BlockMeans> chains_;
};

}  // namespace gadwall::session
