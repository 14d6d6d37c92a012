#include "warps/fit_bend.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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

struct DriverPoints {
  Vector d, scores;

  double loss(const Parameters& p) const {
    const Bend bend = bend_of(p);
    double sum = 0;
    for (Index i = 0; i < d.size(); ++i) {
      const double t = bend.inverse(d[i]);
      const Bend::Value value = bend.at(t);
      const double missed = scores[i] * value.slope + value.log_slope_derivative + t;
      sum += missed * missed;
    }
    return std::isfinite(sum) ? sum / static_cast<double>(d.size())
                              : std::numeric_limits<double>::infinity();
  }
};

/// One parameter after the other, each with a step of its own that grows where it helps.
double descend(const DriverPoints& points, Parameters& p, Parameters steps) {
  double least = points.loss(p);
  for (int round = 0; round < kMostRounds; ++round) {
    double widest = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      bool moved = false;
      for (const double sign : {1.0, -1.0}) {
        Parameters next = p;
        next[i] += sign * steps[i];
        const double loss = points.loss(next);
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

DriverPoints thinned(const Vector& d, const Vector& scores) {
  const Index every = (d.size() + kMostBendPoints - 1) / kMostBendPoints;
  const auto some = Eigen::seq(0, d.size() - 1, every);
  return {d(some), scores(some)};
}

}  // namespace

Bend fit_bend(const Vector& d, const Vector& scores) {
  const double mean = d.mean();
  const double sd = std::sqrt((d.array() - mean).square().mean());
  const DriverPoints points = thinned(d, scores);
  Parameters best{};
  double least = std::numeric_limits<double>::infinity();
  // Straight, and with a quadratic tail on either side: sums of two slopes have several minima.
  for (const auto& [left, right] : {std::pair{0.02, 0.02}, {0.5, 0.02}, {0.02, 0.5}}) {
    Parameters p{mean, std::log(sd), std::log(sd), std::log(left * sd), std::log(right * sd)};
    const double loss = descend(points, p, {0.3 * sd, 0.5, 0.5, 1, 1});
    if (loss < least) {
      least = loss;
      best = p;
    }
  }
  return std::isfinite(least) ? bend_of(best) : Bend{mean, sd, sd, 0, 0};
}

}  // namespace gadwall
