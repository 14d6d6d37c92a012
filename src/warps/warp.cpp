#include "gadwall/warp.hpp"

#include <cmath>
#include <string>

#include "math/decompositions.hpp"
#include "math/products.hpp"

namespace gadwall {
namespace {

/// Of one point: precisions and means of the directions, and their derivatives in the driver.
struct Given {
  Eigen::ArrayXd precision, precision_slope, mean, mean_slope;

  void make(const WarpLayer& layer, double d) {
    const double e = std::exp(layer.exponent * (d - layer.centre));
    const double slope = layer.exponent * e;
    precision = (1 - layer.centring.array()) + layer.centring.array() * e;
    precision_slope = layer.centring.array() * slope;
    mean = (layer.pull.array() + layer.driven_pull.array() * e) / precision;
    mean_slope = (layer.driven_pull.array() * slope - mean * precision_slope) / precision;
  }

  /// What a score of the driver gains from members that move with it. y, q: scores V^T g.
  template <class Y, class Q>
  double driver_gain(const Y& y, const Q& q) const {
    return (q.array() *
                (mean_slope - y.array() * precision_slope / (2 * precision * precision.sqrt())) -
            precision_slope / (2 * precision))
        .sum();
  }
};

Matrix rows_of(const Matrix& points, const std::vector<Index>& members) {
  return points(members, Eigen::all);
}

void layer_to_model(const WarpLayer& layer, const Matrix& y, Matrix& x, Vector& log_jacobian) {
  thread_local Given given;
  x = y;
  Matrix w = rows_of(y, layer.members);
  for (Index k = 0; k < y.cols(); ++k) {
    const Bend::Value bent = layer.bend.at(y(layer.driver, k));
    given.make(layer, bent.d);
    w.col(k).array() = given.mean + w.col(k).array() / given.precision.sqrt();
    x(layer.driver, k) = bent.d;
    log_jacobian[k] +=
        layer.log_determinant - given.precision.log().sum() / 2 + std::log(bent.slope);
  }
  x(layer.members, Eigen::all) = product(layer.directions, w);
}

void layer_from_model(const WarpLayer& layer, const Matrix& x, Matrix& y, Vector& log_jacobian) {
  thread_local Given given;
  y = x;
  Matrix w = product(layer.inverse, rows_of(x, layer.members));
  for (Index k = 0; k < x.cols(); ++k) {
    given.make(layer, x(layer.driver, k));
    w.col(k).array() = (w.col(k).array() - given.mean) * given.precision.sqrt();
    y(layer.driver, k) = layer.bend.inverse(x(layer.driver, k));
    log_jacobian[k] += layer.log_determinant - given.precision.log().sum() / 2 +
                       std::log(layer.bend.at(y(layer.driver, k)).slope);
  }
  y(layer.members, Eigen::all) = w;
}

void layer_pull_scores(const WarpLayer& layer, const Matrix& y, MatrixRef scores) {
  thread_local Given given;
  const Matrix own = rows_of(y, layer.members);
  Matrix q = transposed_product(layer.directions, scores(layer.members, Eigen::all));
  for (Index k = 0; k < y.cols(); ++k) {
    const Bend::Value bent = layer.bend.at(y(layer.driver, k));
    given.make(layer, bent.d);
    double& of_driver = scores(layer.driver, k);
    of_driver += given.driver_gain(own.col(k), q.col(k));
    of_driver = of_driver * bent.slope + bent.log_slope_derivative;
    q.col(k).array() /= given.precision.sqrt();
  }
  scores(layer.members, Eigen::all) = q;
}

void layer_push_scores(const WarpLayer& layer, const Matrix& y, MatrixRef scores) {
  thread_local Given given;
  const Matrix own = rows_of(y, layer.members);
  Matrix q = scores(layer.members, Eigen::all);
  for (Index k = 0; k < y.cols(); ++k) {
    const Bend::Value bent = layer.bend.at(y(layer.driver, k));
    given.make(layer, bent.d);
    q.col(k).array() *= given.precision.sqrt();
    double& of_driver = scores(layer.driver, k);
    of_driver = (of_driver - bent.log_slope_derivative) / bent.slope;
    of_driver -= given.driver_gain(own.col(k), q.col(k));
  }
  scores(layer.members, Eigen::all) = transposed_product(layer.inverse, q);
}

}  // namespace

bool WarpLayer::complete() {
  const Inverse found = inverse_by_lu(directions);
  inverse = found.matrix;
  log_determinant = found.log_determinant;
  return inverse.allFinite() && std::isfinite(log_determinant);
}

void WarpLayer::archive(Archive& a) {
  a("driver", driver);
  std::vector<std::int64_t> rows(members.begin(), members.end());
  a("members", rows);
  members.assign(rows.begin(), rows.end());
  a("exponent", exponent);
  a("centre", centre);
  a("centring", centring);
  a("pull", pull);
  a("driven pull", driven_pull);
  a("directions", directions);
  a("inverse", inverse);
  a("log determinant", log_determinant);
  a("bend", bend);
}

void Warp::to_model(ConstMatrixRef y, WarpTrail& trail) const {
  trail.at.resize(layers_.size() + 1);
  trail.log_jacobian.setZero(y.cols());
  trail.at.front() = y;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    layer_to_model(layers_[layers_.size() - 1 - i], trail.at[i], trail.at[i + 1],
                   trail.log_jacobian);
  }
}

void Warp::from_model(ConstMatrixRef x, WarpTrail& trail) const {
  const std::size_t depth = layers_.size();
  trail.at.resize(depth + 1);
  trail.log_jacobian.setZero(x.cols());
  trail.at[depth] = x;
  for (std::size_t i = 0; i < depth; ++i) {
    layer_from_model(layers_[i], trail.at[depth - i], trail.at[depth - i - 1], trail.log_jacobian);
  }
}

void Warp::pull_scores(const WarpTrail& trail, MatrixRef scores) const {
  const std::size_t depth = layers_.size();
  for (std::size_t i = 0; i < depth; ++i) {
    layer_pull_scores(layers_[i], trail.at[depth - i - 1], scores);
  }
}

void Warp::push_scores(const WarpTrail& trail, MatrixRef scores) const {
  for (std::size_t i = layers_.size(); i-- > 0;) {
    layer_push_scores(layers_[i], trail.at[layers_.size() - 1 - i], scores);
  }
}

void Warp::archive(Archive& a) {
  auto count = static_cast<Index>(layers_.size());
  a("layers", count);
  layers_.resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    a(("layer " + std::to_string(i)).c_str(), layers_[i]);
  }
}

}  // namespace gadwall
