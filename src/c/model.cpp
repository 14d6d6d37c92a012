// Models of the C interface.
#include "c/model.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "c/status.hpp"
#include "c/words.hpp"
#include "gadwall/check_gradient.hpp"
#include "gadwall/error.hpp"
#include "gadwall/targets.hpp"
#include "session/numbers.hpp"
#include "session/target_words.hpp"
#include "session/warm_start.hpp"

using namespace gadwall;
using namespace gadwall::c;

gadwall_model::gadwall_model(std::shared_ptr<const Target> model, std::string name)
    : target(std::move(model)),
      title(std::move(name)),
      names(target->names()),
      values(target->output_names()) {}

namespace {

constexpr Index kMostDimension = 100'000'000;

std::vector<std::string> names_from(const char* const* names, int64_t count) {
  std::vector<std::string> result;
  if (names == nullptr) return result;
  for (int64_t i = 0; i < count; ++i) {
    require(names[i], "a name");
    result.emplace_back(names[i]);
  }
  return result;
}

/// The options of a target; `seed` beside its own.
TargetOptions target_options(const TargetRow& row, const Words& words) {
  TargetOptions options;
  for (const auto& [name, value] : words) {
    if (name == "seed") {
      options.seed =
          session::whole_number("`seed`", value, {0, std::numeric_limits<std::uint64_t>::max()});
    } else {
      session::set_target_word(row, options, name, value);
    }
  }
  return options;
}

gadwall_model* model_from(BuiltTarget built, std::string title, const Words& words) {
  auto model = std::make_unique<gadwall_model>(std::move(built.target), std::move(title));
  model->warnings = std::move(built.warnings);
  for (const auto& [name, value] : words) model->settings.emplace(name, value);
  return model.release();
}

gadwall_model* model_from(int64_t n, const char* const* names, CallbackTarget::Density density) {
  if (n < 1 || n > kMostDimension) {
    throw UsageError(fmt::format("the dimension is {}, expected 1 to {}", n, kMostDimension));
  }
  return new gadwall_model(
      std::make_shared<CallbackTarget>(n, names_from(names, n), std::move(density)), "density");
}

Eigen::Map<const Vector> point_of(const gadwall_model* model, const double* x) {
  return {x, model->target->dim()};
}

}  // namespace

int gadwall_model_stan(const char* file, const char* data, const gadwall_option* options,
                       size_t count, gadwall_model** model) {
  return guarded_make(model, [&] {
    require(file, "the file of the Stan program");
    const TargetRow& row = find_target("stan");
    Words words = words_from(options, count);
    TargetOptions all = target_options(row, words);
    all.model = file;
    if (data != nullptr) all.data = data;
    words.emplace_back("model", file);
    if (!all.data.empty() && !all.data.starts_with('{')) words.emplace_back("data", all.data);
    return model_from(row.make(all), std::filesystem::path(file).stem().string(), words);
  });
}

int gadwall_model_logistic(int64_t rows, int64_t columns, const double* x, const double* y,
                           const char* const* names, const gadwall_option* options, size_t count,
                           gadwall_model** model) {
  return guarded_make(model, [&] {
    if (rows < 2 || columns < 1) {
      throw UsageError(fmt::format("X is {} x {}, expected at least 2 x 1", rows, columns));
    }
    require(x, "X");
    require(y, "y");
    const Words words = words_from(options, count);
    for (const auto& [name, value] : words) {
      if (name == "data" || name == "label" || name == "header") {
        throw UsageError(fmt::format("`{}` is for tables in files", name));
      }
    }
    Matrix design = Eigen::Map<const Matrix>(x, columns, rows).transpose();
    Vector labels = Eigen::Map<const Vector>(y, rows);
    return model_from(
        logistic_regression(std::move(design), std::move(labels), names_from(names, columns),
                            target_options(find_target("logistic"), words)),
        "logistic", words);
  });
}

int gadwall_model_target(const char* name, const gadwall_option* options, size_t count,
                         gadwall_model** model) {
  return guarded_make(model, [&] {
    require(name, "the name of the target");
    const TargetRow& row = find_target(name);
    const Words words = words_from(options, count);
    return model_from(row.make(target_options(row, words)), name, words);
  });
}

int gadwall_model_many(int64_t n, const char* const* names, gadwall_density_many density,
                       void* user, gadwall_model** model) {
  return guarded_make(model, [&] {
    if (density == nullptr) throw UsageError("the density is NULL");
    return model_from(n, names, [=](ConstMatrixRef x, double* logp, double* grad) {
      return density(n, x.cols(), x.data(), logp, grad, user);
    });
  });
}

int gadwall_model_one(int64_t n, const char* const* names, gadwall_density density, void* user,
                      gadwall_model** model) {
  return guarded_make(model, [&] {
    if (density == nullptr) throw UsageError("the density is NULL");
    return model_from(n, names, [=](ConstMatrixRef x, double* logp, double* grad) {
      for (Index k = 0; k < x.cols(); ++k) {
        double* const slope = grad == nullptr ? nullptr : grad + k * n;
        const int status = density(n, x.data() + k * n, logp + k, slope, user);
        if (status != GADWALL_OK) return status;
      }
      return static_cast<int>(GADWALL_OK);
    });
  });
}

void gadwall_model_free(gadwall_model* model) {
  delete model;
}

int64_t gadwall_model_dim(const gadwall_model* model) {
  return model->target->dim();
}

const char* gadwall_model_name(const gadwall_model* model, int64_t i) {
  return text_at(model->names, i);
}

int64_t gadwall_model_values(const gadwall_model* model) {
  return static_cast<int64_t>(model->values.size());
}

const char* gadwall_model_value_name(const gadwall_model* model, int64_t i) {
  return text_at(model->values, i);
}

const char* gadwall_model_warning(const gadwall_model* model, int64_t i) {
  return text_at(model->warnings, i);
}

int gadwall_model_evaluate(const gadwall_model* model, int64_t k, const double* x, double* logp,
                           double* grad) {
  return guarded([&] {
    const Index n = model->target->dim();
    Eigen::Map<Vector> densities(logp, k);
    Eigen::Map<Matrix> gradients(grad, grad == nullptr ? 0 : n, grad == nullptr ? 0 : k);
    model->target->evaluate(Eigen::Map<const Matrix>(x, n, k), densities, gradients);
  });
}

int gadwall_model_output(const gadwall_model* model, const double* x, uint64_t seed,
                         double* values) {
  return guarded([&] {
    Eigen::Map<Vector> kept(values, gadwall_model_values(model));
    model->target->output(point_of(model, x), {.seed = seed}, kept);
  });
}

int gadwall_model_point(const gadwall_model* model, const char* json, double* x) {
  return guarded([&] {
    require(json, "the text with the values");
    try {
      Eigen::Map<Vector>(x, model->target->dim()) = session::point_from_text(json, *model->target);
    } catch (const UsageError&) {
      throw;
    } catch (const std::runtime_error& error) {
      throw UsageError(error.what());
    }
  });
}

int gadwall_model_check_gradient(const gadwall_model* model, const double* x, int64_t* worst,
                                 double* error) {
  return guarded([&] {
    const GradientCheck check = check_gradient(*model->target, point_of(model, x));
    *worst = check.coordinate;
    *error = check.error;
    if (!check.is_right()) throw RunError(to_text(check, *model->target));
  });
}
