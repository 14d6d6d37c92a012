// Tuning, history and heat maps of every batch.
#include "report/learnt_data.hpp"

#include <cmath>

#include "math/decompositions.hpp"
#include "warps/words.hpp"

namespace gadwall::report {
namespace {

constexpr Index kMostShown = 160;      // rows of a heat map; of more parameters every k-th is shown
constexpr Index kMostCompared = 4000;  // parameters: matrices of 128 MB

std::vector<Index> shown_parameters(Index n) {
  const Index every = (n + kMostShown - 1) / kMostShown;
  std::vector<Index> shown;
  for (Index j = 0; j < n; j += every) shown.push_back(j);
  return shown;
}

std::string matrix_text(const Matrix& a) {
  const Eigen::MatrixXf part = a.cast<float>();
  return base64_of(std::vector<float>(part.data(), part.data() + part.size()));
}

/// The lists of numbers among the arrays of a factor; matrices are shown as a covariance.
Json list_data(const Factor& factor) {
  Json lists = Json::object();
  for (const NamedArray& part : factor.parts()) {
    if (part.shape.size() == 1) lists[part.name] = part.values;
  }
  return lists;
}

Json trace_data(const AdaptationTrace& trace) {
  return {{"iteration", trace.iteration}, {"acceptance", trace.acceptance},
          {"step", trace.step},           {"log_determinant", trace.log_determinant},
          {"recorded", trace.recorded},   {"log_density", trace.log_density}};
}

Json batch_data(const Learnt& learnt, const std::vector<Index>& shown) {
  const Factor& factor = learnt.tuning.factor();
  const Vector diagonal = factor.matrix_diagonal();
  return {{"step", learnt.tuning.step},
          {"kind", to_string(factor.kind())},
          {"log_determinant", factor.log_determinant()},
          {"diagonal", std::vector<double>(diagonal.begin(), diagonal.end())},
          {"lists", list_data(factor)},
          {"covariance", matrix_text(factor.covariance_of(shown))},
          {"trace", trace_data(learnt.trace)}};
}

/// A Stan program's coordinates have the names of its parameters where none is a simplex or alike.
std::string coordinate_name(const Draws& draws, Index dim, Index j) {
  const bool are_parameters = draws.facts.parameters == dim && draws.dim() >= dim;
  return are_parameters ? draws.names[static_cast<std::size_t>(j)]
                        : "coordinate " + std::to_string(j + 1);
}

/// Layer by layer: the driver, what it moves and how centred that was found.
Json warp_data(const Draws& draws) {
  const Tuning& tuning = draws.learnt.front().tuning;
  Json layers = Json::array();
  if (!tuning.warp) return layers;
  for (const WarpLayer& layer : tuning.warp->layers()) {
    const auto name = [&](Index j) { return coordinate_name(draws, tuning.factor().dim(), j); };
    const Vector shares = driven_shares(layer);
    Json members = Json::array();
    for (std::size_t j = 0; j < layer.members.size(); ++j) {
      members.push_back({name(layer.members[j]), shares[static_cast<Index>(j)]});
    }
    layers.push_back(
        {{"driver", name(layer.driver)},
         {"exponent", layer.exponent},
         {"members", std::move(members)},
         {"centring", std::vector<double>(layer.centring.begin(), layer.centring.end())}});
  }
  return layers;
}

void add_distances(const Matrix& covariance, const Matrix& posterior, Json& batch) {
  batch["scale"] = covariance.cwiseProduct(posterior).sum() / covariance.squaredNorm();
  batch["distance"] = shape_distance(covariance, posterior);
  batch["correlation_distance"] =
      shape_distance(as_correlation(covariance), as_correlation(posterior));
}

}  // namespace

Matrix posterior_covariance(const Draws& draws) {
  const Index n = draws.dim();
  Vector mean = Vector::Zero(n);
  Index count = 0;
  for (const Chain& chain : draws.chains) {
    mean += chain.draws.colwise().sum().transpose();
    count += chain.draws.rows();
  }
  mean /= static_cast<double>(count);
  Matrix sum = Matrix::Zero(n, n);
  for (const Chain& chain : draws.chains) {
    const Matrix centred = chain.draws.rowwise() - mean.transpose();
    add_inner_products(centred, sum);
  }
  const Matrix full = sum.selfadjointView<Eigen::Lower>();
  return full / static_cast<double>(count - 1);
}

double shape_distance(const Matrix& a, const Matrix& s) {
  const double cosine = a.cwiseProduct(s).sum() / (a.norm() * s.norm());
  return std::sqrt(std::max(1 - cosine * cosine, 0.0));
}

Matrix as_correlation(const Matrix& a) {
  const Vector scale = a.diagonal().cwiseSqrt().cwiseInverse();
  return scale.asDiagonal() * a * scale.asDiagonal();
}

Json learnt_data(const Draws& draws) {
  if (draws.learnt.empty()) return nullptr;
  const Index dim = draws.learnt.front().tuning.factor().dim();
  // A transformed model learns in other coordinates, perhaps fewer, than its draws have; a warped
  // sampler too.
  const bool other_units =
      draws.facts.target_settings.contains("raw") || draws.learnt.front().tuning.warp != nullptr;
  const bool comparable = dim == draws.dim() && dim <= kMostCompared && !other_units;
  const std::vector<Index> shown = shown_parameters(dim);
  const Matrix posterior = comparable ? posterior_covariance(draws) : Matrix();
  Json batches = Json::array();
  for (const Learnt& learnt : draws.learnt) {
    Json batch = batch_data(learnt, shown);
    if (comparable) add_distances(learnt.tuning.factor().covariance(), posterior, batch);
    batches.push_back(std::move(batch));
  }
  Json data = {{"shown", shown}, {"batches", batches}, {"warp", warp_data(draws)}};
  data["posterior"] = comparable ? Json(matrix_text(posterior(shown, shown))) : Json(nullptr);
  return data;
}

}  // namespace gadwall::report
