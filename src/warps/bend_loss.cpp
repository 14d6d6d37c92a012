#include "warps/bend_loss.hpp"

#include <limits>

#include "math/pack4.hpp"
#include "math/vector_exp.hpp"
#include "math/vector_log1p.hpp"

namespace gadwall {
namespace {

constexpr int kBendPacks = 4;
constexpr std::size_t kBendBlock = 4 * kBendPacks;
constexpr int kMostNewtonSteps = 100;
constexpr double kNearRoot = 1e-8;  // the step after it is below the rounding errors
constexpr double kNoBound = std::numeric_limits<double>::infinity();

using BendPacks = Pack4[kBendPacks];

GADWALL_INLINE Pack4 select4(Mask4 condition, Pack4 yes, Pack4 no) {
  return bits_as_pack((condition & pack_as_bits(yes)) | (~condition & pack_as_bits(no)));
}

GADWALL_INLINE Pack4 positive4(Pack4 a) {
  return select4(a > 0.0, a, broadcast(0));
}

GADWALL_INLINE bool all4(Mask4 condition) {
  return (condition[0] & condition[1] & condition[2] & condition[3]) != 0;
}

/// As Bend::at. curvature: bend''.
struct BendValues {
  BendPacks d, slope, curvature;
};

GADWALL_INLINE void bend_at(const Bend& bend, const BendPacks& t, BendValues& at) {
  BendPacks small, rest;
  for (int v = 0; v < kBendPacks; ++v) small[v] = negative_abs(t[v]);
  exp_nonpositive(small);
  for (int v = 0; v < kBendPacks; ++v) rest[v] = small[v];
  log1p_unit(rest);
  for (int v = 0; v < kBendPacks; ++v) {
    const Pack4 up = positive4(t[v]) + rest[v], down = positive4(-t[v]) + rest[v];
    const Pack4 large_share = 1.0 / (1.0 + small[v]), small_share = small[v] * large_share;
    const Mask4 is_right = t[v] >= 0.0;
    const Pack4 p = select4(is_right, large_share, small_share);
    const Pack4 q = select4(is_right, small_share, large_share);
    at.d[v] = bend.offset - bend.left * down + bend.right * up - bend.left_square * down * down +
              bend.right_square * up * up;
    at.slope[v] = bend.left * q + bend.right * p + 2 * bend.left_square * down * q +
                  2 * bend.right_square * up * p;
    at.curvature[v] = p * q * (bend.right - bend.left) - 2 * bend.left_square * q * (q + down * p) +
                      2 * bend.right_square * p * (p + up * q);
  }
}

/// t becomes bend^-1(d), as by Bend::inverse; NaN or an infinity where that has none.
GADWALL_INLINE void invert(const Bend& bend, const double* d, BendPacks& t) {
  BendPacks low, high;
  Mask4 is_done[kBendPacks];
  for (int v = 0; v < kBendPacks; ++v) {
    low[v] = broadcast(-kNoBound);
    high[v] = broadcast(kNoBound);
    is_done[v] = Mask4{};
  }
  BendValues at;
  for (int round = 0; round < kMostNewtonSteps; ++round) {
    bend_at(bend, t, at);
    Mask4 all_done = ~Mask4{};
    for (int v = 0; v < kBendPacks; ++v) {
      const Pack4 missed = at.d[v] - load4(d + 4 * v);
      high[v] = select4(missed > 0.0, t[v], high[v]);
      low[v] = select4(missed > 0.0, low[v], t[v]);
      const Pack4 newton = t[v] - missed / at.slope[v];
      const Mask4 is_inside = (newton > low[v]) & (newton < high[v]);
      const Pack4 next = select4(is_inside, newton, (low[v] + high[v]) / 2.0);
      const Pack4 step = -negative_abs(newton - t[v]);
      const Pack4 size = 1.0 + -negative_abs(t[v]);
      const Mask4 is_near = ~(step > kNearRoot * size);  // also NaN
      t[v] = select4(is_done[v], t[v], select4(is_near, newton, next));
      is_done[v] |= is_near;
      all_done &= is_done[v];
    }
    if (all4(all_done)) return;
  }
}

}  // namespace

BendLoss::BendLoss(const Vector& d, const Vector& scores) : count_(static_cast<double>(d.size())) {
  const auto count = static_cast<std::size_t>(d.size());
  const std::size_t room = (count + kBendBlock - 1) / kBendBlock * kBendBlock;
  d_.assign(d.begin(), d.end());
  d_.resize(room, d_.empty() ? 0 : d_.back());
  scores_.assign(scores.begin(), scores.end());
  scores_.resize(room, 0);
  weights_.assign(count, 1);
  weights_.resize(room, 0);
  t_.assign(room, 0);
}

double BendLoss::operator()(const Bend& bend, double enough) {
  double sum = 0;
  for (std::size_t i = 0; i < d_.size(); i += kBendBlock) {
    BendPacks t;
    for (int v = 0; v < kBendPacks; ++v) t[v] = load4(&t_[i] + 4 * v);
    invert(bend, &d_[i], t);
    BendValues at;
    bend_at(bend, t, at);
    Pack4 squares = broadcast(0);
    for (int v = 0; v < kBendPacks; ++v) {
      const Pack4 score = load4(&scores_[i] + 4 * v);
      const Pack4 missed = score * at.slope[v] + at.curvature[v] / at.slope[v] + t[v];
      squares += load4(&weights_[i] + 4 * v) * missed * missed;
      const Mask4 is_finite = -negative_abs(t[v]) < kNoBound;
      store4(&t_[i] + 4 * v, select4(is_finite, t[v], broadcast(0)));
    }
    sum += sum4(squares);
    if (!(sum < enough * count_)) return kNoBound;
  }
  return sum / count_;
}

}  // namespace gadwall
