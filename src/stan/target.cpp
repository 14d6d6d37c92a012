#include "stan/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <set>

#include "files/netcdf_layout.hpp"
#include "gadwall/error.hpp"
#include "gadwall/host.hpp"
#include "run/file_groups.hpp"
#include "stan/bridge/json_data.hpp"
#include "stan/coordinate_names.hpp"

namespace gadwall::stan {
namespace {

/// Of the generator for what the key stands for.
unsigned int seed_from(const NoiseKey& key) {
  constexpr double kSeeds = 4294967296.0;  // 2^32
  return static_cast<unsigned int>(UniformStream(key, Purpose::output).next() * kSeeds);
}

/// To seed a generator takes longer than a small gradient, so that one serves some iterations; the
/// interface gives no way to keep its state, so that the points it was used at are kept, and a
/// restarted chain goes through them again.
class StanDraws final : public DrawMaker {
 public:
  StanDraws(const StanTarget& target, StanModel::Values values)
      : target_(target),
        model_(target.model()),
        values_(values),
        length_(std::clamp(kMostNumbers / model_.dim(), Index{1}, kLongest)),
        generator_(model_.no_generator()),
        passed_(model_.with_generated()) {}

  void make(ConstVectorRef x, const NoiseKey& key, VectorRef values) override {
    const bool random = values_ == StanModel::Values::with_generated && model_.has_generated();
    if (random) prepare(key);
    target_.fill(x, values_, generator_.get(), values);
    if (random && length_ > 1) points_.insert(points_.end(), x.data(), x.data() + x.size());
  }

  void archive(Archive& a) override {
    a("block", block_);
    a("points", points_);
    if (!a.is_saving()) generator_.reset();
  }

 private:
  static constexpr Index kMostNumbers = 4096;  // of the points that are kept
  static constexpr Index kLongest = 64;        // iterations

  void prepare(const NoiseKey& key) {
    const auto block = static_cast<std::int64_t>(key.iteration) / length_;
    if (block == block_ && generator_ != nullptr) return;
    if (block != block_) points_.clear();
    block_ = block;
    generator_ =
        model_.generator(seed_from({key.seed, key.chain, static_cast<std::uint64_t>(block)}));
    const auto dim = static_cast<std::size_t>(model_.dim());
    for (std::size_t at = 0; at < points_.size(); at += dim) {
      const Eigen::Map<const Vector> x(points_.data() + at, model_.dim());
      target_.fill(x, values_, generator_.get(), passed_);
    }
  }

  const StanTarget& target_;
  const StanModel& model_;
  StanModel::Values values_;
  Index length_;
  StanModel::Generator generator_;
  std::int64_t block_ = -1;
  std::vector<double> points_;  // of this block so far, one after the other
  Vector passed_;
};

/// From Stan's order, the first index fastest, to that of files.
NamedArray array_from(const std::string& name, const gadwall_stan::Variable& variable) {
  NamedArray array{name, {variable.dims.begin(), variable.dims.end()}, {}};
  for (const Index column : files::columns_of(array.shape, 0)) {
    array.values.push_back(variable.values[static_cast<std::size_t>(column)]);
  }
  return array;
}

/// None where the text is not JSON as this project reads it: the model has its own reader.
gadwall_stan::Variables variables_from(const std::string& text) {
  try {
    return gadwall_stan::JsonReader(text).read();
  } catch (const std::runtime_error&) {
    return {};
  }
}

}  // namespace

/// As they are listed where the program makes no values at the points tried.
std::vector<std::string> StanTarget::names() const {
  std::vector<std::string> values = output_names();
  values.resize(static_cast<std::size_t>(parameters()));
  const auto constrain = [&](const Vector& x) {
    Vector made(parameters());
    model_.constrain(x.data(), StanModel::Values::parameters, nullptr, made.data());
    return made;
  };
  try {
    return names_of_coordinates(model_.coordinate_names(), values, constrain);
  } catch (const std::runtime_error&) {
    return model_.coordinate_names();
  }
}

TargetData StanTarget::data() const {
  constexpr std::size_t most_values = 1'000'000;
  const std::vector<std::string> values = output_names();
  std::set<std::string> made;
  for (const std::string& value : values) made.insert(array_of(value));
  TargetData data;
  for (const auto& [name, variable] : variables_from(data_)) {
    if (variable.values.empty() || variable.values.size() > most_values) continue;
    const bool is_observed = name == "y" || made.contains(name + "_rep");
    (is_observed ? data.observed : data.constant).push_back(array_from(name, variable));
  }
  return data;
}

void StanTarget::evaluate(ConstMatrixRef x, VectorRef logp, MatrixRef grad) const {
  for (Index k = 0; k < x.cols(); ++k) {
    const double* point = x.col(k).data();
    logp[k] =
        grad.size() == 0 ? model_.log_density(point) : model_.gradient(point, grad.col(k).data());
  }
}

void StanTarget::output(ConstVectorRef x, const NoiseKey& key, VectorRef values) const {
  const StanModel::Generator generator =
      model_.has_generated() ? model_.generator(seed_from(key)) : model_.no_generator();
  fill(x, StanModel::Values::with_generated, generator.get(), values);
}

std::unique_ptr<DrawMaker> StanTarget::draw_maker(std::span<const Index> wanted) const {
  using Values = StanModel::Values;
  const Index last = wanted.empty() ? model_.with_generated() - 1 : std::ranges::max(wanted);
  if (last < model_.parameters()) return std::make_unique<StanDraws>(*this, Values::parameters);
  return std::make_unique<StanDraws>(
      *this, last < model_.with_transformed() ? Values::with_transformed : Values::with_generated);
}

void StanTarget::fill(ConstVectorRef x, StanModel::Values most, bs_rng* generator,
                      VectorRef values) const {
  using Values = StanModel::Values;
  for (const Values which :
       {Values::with_generated, Values::with_transformed, Values::parameters}) {
    if (which > most) continue;
    values.setConstant(std::numeric_limits<double>::quiet_NaN());
    try {
      return model_.constrain(x.data(), which, generator, values.data());
    } catch (const std::exception& error) {
      if (failure_told_.test_and_set()) continue;
      say(MessageKind::warning, fmt::format("values of a draw are NaN: {}", error.what()));
    }
  }
}

Vector StanTarget::coordinates(const std::vector<std::string>& value_names,
                               ConstVectorRef values) const {
  std::vector<std::string> wanted = output_names();
  wanted.resize(static_cast<std::size_t>(model_.parameters()));
  Vector parameters(model_.parameters());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto found = std::ranges::find(value_names, wanted[i]);
    if (found == value_names.end()) {
      throw UsageError(fmt::format("there is no value of parameter '{}'", wanted[i]));
    }
    parameters[static_cast<Index>(i)] = values[found - value_names.begin()];
  }
  Vector x(dim());
  try {
    model_.unconstrain(parameters.data(), x.data());
  } catch (const std::exception& error) {
    throw UsageError(fmt::format("the model does not take the values: {}", error.what()));
  }
  return x;
}

}  // namespace gadwall::stan
