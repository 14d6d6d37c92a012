#include "warps/fit_bend.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "warps/bend_loss.hpp"

namespace gadwall {
namespace {

constexpr Index kMostBendPoints = 200;
constexpr int kMostRounds = 40;
constexpr double kFinestStep = 0.02;

/// Offset, and the logs of the four slopes.
using Parameters = std::array<double, 5>;

Bend bend_of(const Parameters& p) {
  return {p[0], std::exp(p[1]), std::exp(p[2]), std::exp(p[3]), std::exp(p[4])};
}

/// The same as BendLoss to the last bit of the C library's functions, which takes ten times as
/// long.
class ExactBendLoss {
 public:
  ExactBendLoss(Vector d, Vector scores) : d_(std::move(d)), scores_(std::move(scores)) {}

  double operator()(const Bend& bend, double enough) const {
    const auto count = static_cast<double>(d_.size());
    double sum = 0;
    for (Index i = 0; i < d_.size(); ++i) {
      const double t = bend.inverse(d_[i]);
      const Bend::Value value = bend.at(t);
      const double missed = scores_[i] * value.slope + value.log_slope_derivative + t;
      sum += missed * missed;
      if (!(sum / count < enough)) return std::numeric_limits<double>::infinity();
    }
    return sum / count;
  }

 private:
  Vector d_, scores_;
};

/// One parameter after the other, each with a step of its own that grows where it helps.
template <class Loss>
double descend(Loss& loss_of, Parameters& p, Parameters steps) {
  double least = loss_of(bend_of(p), std::numeric_limits<double>::infinity());
  for (int round = 0; round < kMostRounds; ++round) {
    double widest = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      bool moved = false;
      for (const double sign : {1.0, -1.0}) {
        Parameters next = p;
        next[i] += sign * steps[i];
        const double loss = loss_of(bend_of(next), least);
        if (!(loss < least)) continue;
        p = next;
        least = loss;
        moved = true;
        break;
      }
      steps[i] *= moved ? 1.3 : 0.5;
      widest = std::max(widest, steps[i]);
    }
    if (widest < kFinestStep) break;
  }
  return least;
}

template <class Loss>
Bend bend_by(const Vector& d, const Vector& scores) {
  const double mean = d.mean();
  const double sd = std::sqrt((d.array() - mean).square().mean());
  const Index every = (d.size() + kMostBendPoints - 1) / kMostBendPoints;
  const auto some = Eigen::seq(0, d.size() - 1, every);
  Loss loss_of(d(some), scores(some));
  Parameters best{};
  double least = std::numeric_limits<double>::infinity();
  // Straight, and with a quadratic tail on either side: sums of two slopes have several minima.
  for (const auto& [left, right] : {std::pair{0.02, 0.02}, {0.5, 0.02}, {0.02, 0.5}}) {
    Parameters p{mean, std::log(sd), std::log(sd), std::log(left * sd), std::log(right * sd)};
    const double loss = descend(loss_of, p, {0.3 * sd, 0.5, 0.5, 1, 1});
    if (loss < least) {
      least = loss;
      best = p;
    }
  }
  return std::isfinite(least) ? bend_of(best) : Bend{mean, sd, sd, 0, 0};
}

}  // namespace

Bend fit_bend(const Vector& d, const Vector& scores, BendFit how) {
  return how == BendFit::quick ? bend_by<BendLoss>(d, scores) : bend_by<ExactBendLoss>(d, scores);
}

}  // namespace gadwall
