// Figure 1, figure 2, the traces of the log target and the diagonal of L on MNIST.
#include "reproduce/figures.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "math/decompositions.hpp"
#include "report/learnt_data.hpp"
#include "report/plots.hpp"
#include "targets/gaussian.hpp"

namespace gadwall::app::reproduce {
namespace {

report::Json section(const std::string& title, const std::string& hint, report::Json figures) {
  return {{"title", title}, {"hint", hint}, {"figures", std::move(figures)}};
}

/// Points of x^T C^-1 x = 1 and 4, with a gap between the two.
report::Json ellipses(const std::string& series, const Matrix& covariance) {
  constexpr int kPoints = 120;
  const Matrix factor = cholesky(covariance).value_or(Matrix::Zero(2, 2));
  report::Json x = report::Json::array();
  report::Json y = report::Json::array();
  for (const double radius : {1.0, 2.0}) {
    for (int i = 0; i <= kPoints; ++i) {
      const double angle = 2 * std::numbers::pi * i / kPoints;
      const Vector point = radius * factor * Eigen::Vector2d(std::cos(angle), std::sin(angle));
      x.push_back(point[0]);
      y.push_back(point[1]);
    }
    x.push_back(0);
    y.push_back(nullptr);
  }
  return {{"series", series}, {"x", x}, {"y", y}};
}

/// " (× 0.01)" where the repeat was shortened.
std::string mark(const Repeat& repeat) {
  return repeat.scale == 1 ? "" : fmt::format(" (× {:g})", repeat.scale);
}

/// L L^T of the first repeat; nothing where it was not kept, or is not n x n.
std::optional<Matrix> learnt_covariance(const std::optional<Repeat>& repeat, Index n) {
  if (!repeat || std::ssize(repeat->pictures.covariance) != n * n) return {};
  return Eigen::Map<const Matrix>(repeat->pictures.covariance.data(), n, n);
}

void add_contours(const std::string& experiment, const char* paper, const RepeatStore& store,
                  report::Json& figures) {
  const auto repeat = store.find({experiment, "gadRWM", 1});
  const auto covariance = learnt_covariance(repeat, 2);
  if (!covariance) return;
  const double wanted = find_experiment(experiment).methods.front().number("target-accept");
  figures.push_back(
      {{"title", fmt::format("α* = {}", wanted) + mark(*repeat)},
       {"note",
        fmt::format("β {:.1f}, on average {:.1f} (the paper's {}), acceptance {:.3f}",
                    repeat->pictures.beta, repeat->pictures.beta_mean, paper, repeat->acceptance)},
       {"spec", "contours"},
       {"shape", "square"},
       {"lines",
        {ellipses("target", gaussian2d()->covariance()), ellipses("proposal", *covariance)}}});
}

report::Json heat_figure(const std::string& title, const std::string& note,
                         const Eigen::Ref<const Matrix>& values, double limit) {
  return {{"title", title},
          {"note", note},
          {"spec", "heat_map"},
          {"shape", "square"},
          {"limit", limit},
          {"grid",
           {{"width", values.cols()},
            {"height", values.rows()},
            {"values", std::vector<double>(values.data(), values.data() + values.size())}}}};
}

/// Proposals learn the shape and the length of a step together, so the scale is left free.
void add_covariances(const RepeatStore& store, report::Json& figures) {
  constexpr Index kDim = 51;
  const auto repeat = store.find({"gp51", "gadMALAf", 1});
  const auto covariance = learnt_covariance(repeat, kDim);
  if (!covariance) return;
  const Matrix truth = gp51()->covariance();
  const Matrix& learnt = *covariance;
  const double scale = learnt.cwiseProduct(truth).sum() / learnt.squaredNorm();
  const double limit = truth.cwiseAbs().maxCoeff();
  figures.push_back(heat_figure("True covariance", "51 × 51", truth, limit));
  figures.push_back(heat_figure(
      "Learnt: L Lᵀ" + mark(*repeat),
      fmt::format("times {:.3g}; distance {:.3f}", scale, report::shape_distance(learnt, truth)),
      scale * learnt, limit));
}

report::Json figure1(const RepeatStore& store) {
  report::Json figures = report::Json::array();
  add_contours("gaussian2d-25", "7.4", store, figures);
  add_contours("gaussian2d-40", "2.2", store, figures);
  add_covariances(store, figures);
  if (figures.empty()) return report::Json::array();
  return report::Json::array(
      {section("Figure 1: what is learnt",
               "One and two standard deviations of target and proposal (gadRWM); "
               "the covariance of a Gaussian process and the one gadMALAf learnt. "
               "Distance: the least of ‖c L Lᵀ − Σ‖ / ‖Σ‖ over the scale c.",
               std::move(figures))});
}

report::Json coordinate_figure(const Repeat& repeat) {
  return {{"title", repeat.name.method + mark(repeat)},
          {"note", "x₁₀₀"},
          {"spec", "trace"},
          {"lines", report::Json::array({{{"series", repeat.name.method},
                                          {"x", repeat.pictures.draw},
                                          {"y", repeat.pictures.coordinate}}})}};
}

/// The diagonal beside that of the target, in the scale that fits best.
report::Json diagonal_figure(const Repeat& repeat) {
  const auto& diagonal = repeat.pictures.diagonal;
  const Eigen::Map<const Vector> learnt(diagonal.data(), static_cast<Index>(diagonal.size()));
  const Vector sds = neal100()->covariance().diagonal().cwiseSqrt();
  const Vector fitted = sds * (learnt.dot(sds) / sds.squaredNorm());
  std::vector<int> place(diagonal.size());
  for (std::size_t i = 0; i < place.size(); ++i) place[i] = static_cast<int>(i) + 1;
  return {{"title", repeat.name.method + mark(repeat)},
          {"note", "diagonal of L"},
          {"spec", "diagonal"},
          {"points",
           {{{"series", "learnt"}, {"x", place}, {"y", diagonal}},
            {{"series", "proportional to s"},
             {"x", place},
             {"y", std::vector<double>(fitted.begin(), fitted.end())}}}}};
}

report::Json figure2(const Subject& subject, const RepeatStore& store) {
  constexpr std::size_t kNealDim = 100;  // a diagonal is there where L is learnt
  report::Json traces = report::Json::array();
  report::Json diagonals = report::Json::array();
  for (const std::string& method : subject.needs.front().methods) {
    const auto repeat = store.find({"neal", method, 1});
    if (!repeat) continue;
    traces.push_back(coordinate_figure(*repeat));
    if (repeat->pictures.diagonal.size() == kNealDim) diagonals.push_back(diagonal_figure(*repeat));
  }
  if (traces.empty()) return report::Json::array();
  return {section("Figure 2: traces of x₁₀₀ on Neal's Gaussian",
                  "The widest coordinate, after warm-up; thinned for drawing.", std::move(traces)),
          section("Figure 2: diagonals of L",
                  "Ideal is a straight line: the standard deviations of the target are 0.01, 0.02, "
                  "…, 1. AM: step times L.",
                  std::move(diagonals))};
}

report::Json log_target_figure(const Repeat& repeat) {
  return {{"title", repeat.name.method + mark(repeat)},
          {"note", ""},
          {"spec", "trace"},
          {"warmup", repeat.warmup},
          {"lines", report::Json::array({{{"series", repeat.name.method},
                                          {"x", repeat.pictures.iteration},
                                          {"y", repeat.pictures.log_target}}})}};
}

report::Json traces(const Subject& subject, const RepeatStore& store) {
  report::Json sections = report::Json::array();
  for (const Need& need : subject.needs) {
    const Experiment& experiment = find_experiment(need.experiment);
    report::Json figures = report::Json::array();
    for (const Method& method : experiment.methods) {
      const auto repeat = store.find({experiment.name, method.name, 1});
      if (repeat) figures.push_back(log_target_figure(*repeat));
    }
    if (figures.empty()) continue;
    sections.push_back(section("Log target: " + experiment.title,
                               "Against iteration, of the first repeat; warm-up is shaded.",
                               std::move(figures)));
  }
  return sections;
}

report::Json mnist_diagonal(const Subject& subject, const RepeatStore& store) {
  constexpr Index kSide = 28;
  const auto repeat = store.find({subject.needs.front().experiment, "gadMALAf", 1});
  if (!repeat || std::ssize(repeat->pictures.diagonal) < kSide * kSide)
    return report::Json::array();
  // Pixels go row by row, and so does a grid, whose columns are taken for its rows.
  const Eigen::Map<const Matrix> image(repeat->pictures.diagonal.data(), kSide, kSide);
  report::Json figure =
      heat_figure("Diagonal of L" + mark(*repeat), "28 × 28 pixels", image, image.maxCoeff());
  figure["spec"] = "image";
  return report::Json::array(
      {section("Diagonal of L on MNIST",
               "The scale that gadMALAf learnt for the weight of every pixel, " +
                   find_experiment(repeat->name.experiment).title + ".",
               report::Json::array({figure}))});
}

}  // namespace

report::Json figure_sections(const Subject& subject, const RepeatStore& store) {
  if (subject.name == "figure1") return figure1(store);
  if (subject.name == "figure2") return figure2(subject, store);
  if (subject.name == "traces") return traces(subject, store);
  return mnist_diagonal(subject, store);
}

report::Json figure_specs() {
  return {{"contours", report::line_plot({"x₁", "x₂"}, {.legend = true})},
          {"heat_map", report::heat_map(report::Colours::diverging)},
          {"image", report::heat_map(report::Colours::sequential)},
          {"trace", report::line_plot({"iteration", ""}, {})},
          {"diagonal", report::dot_plot({"i", "L(i, i)"})}};
}

}  // namespace gadwall::app::reproduce
