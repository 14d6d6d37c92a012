// A change of variables that takes the neck out of a funnel: the sampler moves in coordinates y in
// which the target is near Gaussian, the model sees x = x(y).
//
// One layer has a driver d = x_k (as a rule the log of a scale) and members u = x_S, whose
// precision given d is near Lambda0 + E Lambda1 with E = e^(b (d - centre)). With u = V w both are
// diagonal:
//
//   precision of w_i   p_i = (1 - c_i) + c_i E       c_i in [0, 1]: how centred the direction is
//   its mean           m_i = (h0_i + h1_i E) / p_i
//   members            w_i = m_i + y_i / sqrt(p_i),  u = V w
//   driver             d = bend(t), monotone: its own marginal, made near N(0, 1)
//   log |dx/dy|        = log|det V| - 1/2 sum_i log p_i + log bend'(t)
//
// All else stays as it is. Several drivers are several layers, one after the other:
// x = layer_1(layer_2(... (y))).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gadwall/archive.hpp"
#include "gadwall/named_array.hpp"
#include "gadwall/types.hpp"

namespace gadwall {

/// d = b0 - b1 s(-t) + b2 s(t) - b3 s(-t)^2 + b4 s(t)^2 with s(t) = log(1 + e^t) and b1 ... b4 >=
/// 0: linear to quadratic tails, each side its own (a quadratic one makes exponential tails
/// normal).
struct Bend {
  double offset = 0;
  double left = 1, right = 1;  // b1, b2: s(t) - s(-t) = t
  double left_square = 0, right_square = 0;

  struct Value {
    double d, slope, log_slope_derivative;  // bend(t), bend'(t), (log bend')'(t)
  };
  Value at(double t) const;
  double inverse(double d) const;

  void archive(Archive& a);
};

struct WarpLayer {
  Index driver = 0;
  std::vector<Index> members;  // m of them, without the driver
  double exponent = 0;         // b
  double centre = 0;           // of the driver
  Vector centring;             // c, m
  Vector pull, driven_pull;    // h0, h1, m
  Matrix directions;           // V, m x m
  Matrix inverse;              // V^-1
  Bend bend;

  /// Makes `inverse` and what else follows from the others; false where V has none.
  bool complete();

  void archive(Archive& a);

  /// For files: driver, members, exponent, centre, centring, pull, driven_pull, directions, bend.
  std::vector<NamedArray> parts() const;
  static const std::vector<std::string>& part_names();
  /// In the order of part_names. UsageError where they are no layer of n coordinates.
  static WarpLayer from_parts(Index n, const std::vector<NamedArray>& parts);

  double log_determinant = 0;  // of V, absolute
};

/// Points on their way from the new coordinates to the model's, layer by layer: n x K each.
struct WarpTrail {
  std::vector<Matrix> at;  // new coordinates first, the model's last
  Vector log_jacobian;     // K

  const Matrix& model() const { return at.back(); }
};

class Warp {
 public:
  Warp() = default;
  explicit Warp(std::vector<WarpLayer> layers) : layers_(std::move(layers)) {}

  const std::vector<WarpLayer>& layers() const { return layers_; }

  void to_model(ConstMatrixRef y, WarpTrail& trail) const;
  /// The same trail from its other end.
  void from_model(ConstMatrixRef x, WarpTrail& trail) const;

  /// Gradients of log pi at the model's end become those of log pi + log_jacobian at the new one.
  void pull_scores(const WarpTrail& trail, MatrixRef scores) const;
  /// The way back.
  void push_scores(const WarpTrail& trail, MatrixRef scores) const;

  bool operator==(const Warp& other) const;

  void archive(Archive& a);

 private:
  std::vector<WarpLayer> layers_;
};

}  // namespace gadwall
