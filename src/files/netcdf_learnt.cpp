// What the batches of a run learnt, as groups of a NetCDF file: gadwall/batch_0, ...; what its
// chains cost, as variables over `chain`: gadwall/chains.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <type_traits>

#include "files/netcdf_facts.hpp"
#include "gadwall/error.hpp"
#include "gadwall/warp.hpp"

namespace gadwall::files {
namespace {

const char* const kChains = "chains";
constexpr double kMostDim = 1e12;          // beyond what can be meant
const char* const kAdapted = "adapted";    // 1: warm-up was over when the tuning was written
const char* const kRecorded = "recorded";  // names of the adapter's numbers, between spaces

std::string batch_name(std::size_t batch) {
  return fmt::format("batch_{}", batch);
}

std::string layer_name(std::size_t layer) {
  return fmt::format("warp_{}", layer);
}

/// The columns of a trace that have one number per row.
template <class Trace, class Visit>
void visit_columns(Trace& trace, Visit visit) {
  visit("acceptance", trace.acceptance);
  visit("step", trace.step);
  visit("log_determinant", trace.log_determinant);
}

/// The arrays of a factor, or of a layer of a warp. name_axis(length, axis) names the dimensions.
template <class NameAxis>
void write_parts(hid_t group, const std::vector<NamedArray>& parts, NameAxis name_axis) {
  std::map<std::string, Hdf5Id> dimensions;
  for (const NamedArray& part : parts) {
    if (part.values.empty()) continue;  // NetCDF has no empty dimension
    NewVariable variable{part.name, H5T_NATIVE_DOUBLE, {}, {}};
    for (std::size_t axis = 0; axis < part.shape.size(); ++axis) {
      const Index length = part.shape[axis];
      const std::string name = name_axis(length, axis);
      const auto [at, is_new] = dimensions.try_emplace(name);
      if (is_new) at->second = create_dimension(group, name, length);
      variable.dimensions.push_back(at->second);
      if (part.shape.size() == 2) variable.chunk.push_back(std::min<hsize_t>(length, 256));
    }
    write_values(group, variable, part.values.data());
  }
}

void write_factor(hid_t group, const Factor& factor) {
  write_parts(group, factor.parts(), [n = factor.dim()](Index length, std::size_t axis) {
    return length != n ? "direction" : axis == 0 ? "parameter" : "parameter_bis";
  });
}

/// A group per layer: warp_0 is the one next to the model.
void write_warp(hid_t group, const Warp& warp) {
  for (std::size_t i = 0; i < warp.layers().size(); ++i) {
    const WarpLayer& layer = warp.layers()[i];
    const auto m = static_cast<Index>(layer.members.size());
    const Hdf5Id own = replaced_group(group, layer_name(i));
    write_parts(own, layer.parts(), [m](Index length, std::size_t axis) -> std::string {
      if (length != m) return fmt::format("length_{}", length);
      return axis == 0 ? "member" : "member_bis";
    });
  }
}

void write_tuning(hid_t group, const Tuning& tuning) {
  write_attribute(group, "step_size", tuning.step);
  write_attribute(group, "dim", static_cast<std::int64_t>(tuning.factor().dim()));
  write_attribute(group, "metric", to_string(tuning.factor().kind()));
  write_factor(group, tuning.factor());
  if (tuning.warp) write_warp(group, *tuning.warp);
  if (!tuning.trajectory) return;
  write_attribute(group, "integrator", to_string(tuning.trajectory->integrator));
  write_attribute(group, "most_steps", static_cast<std::int64_t>(tuning.trajectory->most_steps));
  write_attribute(group, "persistence", tuning.trajectory->persistence);
  write_attribute(group, "trajectories_per_draw",
                  static_cast<std::int64_t>(tuning.trajectory->per_draw));
}

std::optional<TrajectoryPlan> read_trajectory(hid_t group) {
  const std::optional<std::string> integrator = read_text(group, "integrator");
  if (!integrator) return std::nullopt;
  return trajectory_plan(*integrator, read_number(group, "most_steps").value_or(0),
                         read_number(group, "persistence").value_or(0),
                         read_number(group, "trajectories_per_draw").value_or(1));
}

/// No array of a factor is larger than n x n, none of a warp but the few numbers of a bend.
NamedArray read_part(hid_t group, const std::string& name, Index n) {
  NamedArray part{name, {}, {}};
  const Hdf5Id dataset = open_dataset(group, name);
  for (const hsize_t extent : extents(dataset)) {
    if (part.shape.size() == 2 || extent > static_cast<hsize_t>(n)) {
      throw UsageError(fmt::format("'{}' of the factor is larger than {} x {}", name, n, n));
    }
    part.shape.push_back(static_cast<Index>(extent));
  }
  part.values = read_values(group, name);
  return part;
}

std::shared_ptr<const Warp> read_warp(hid_t group, Index n) {
  constexpr Index kFewNumbers = 8;
  std::vector<WarpLayer> layers;
  for (std::size_t i = 0; has_link(group, layer_name(i)); ++i) {
    const Hdf5Id own(H5Gopen2(group, layer_name(i).c_str(), H5P_DEFAULT), layer_name(i));
    std::vector<NamedArray> parts;
    for (const std::string& name : WarpLayer::part_names()) {
      parts.push_back(read_part(own, name, std::max(n, kFewNumbers)));
    }
    layers.push_back(WarpLayer::from_parts(n, parts));
  }
  return layers.empty() ? nullptr : std::make_shared<const Warp>(std::move(layers));
}

Tuning read_tuning(hid_t group) {
  const double dim = read_number(group, "dim").value_or(0);
  if (!(dim >= 0 && dim <= kMostDim)) throw UsageError(fmt::format("`dim` is {:g}", dim));
  const auto n = static_cast<Index>(dim);
  const double step = read_number(group, "step_size").value_or(1);
  const Metric form = metric_from_string(read_text(group, "metric").value_or("unit"));
  if (n == 0) return Tuning(Factor::unit(n), step);
  std::vector<NamedArray> parts;
  for (const std::string& name : Factor::part_names(form)) {
    if (has_link(group, name)) parts.push_back(read_part(group, name, n));
  }
  Tuning tuning(Factor::from_parts(form, n, parts), step);
  tuning.trajectory = read_trajectory(group);
  tuning.warp = read_warp(group, n);
  return tuning;
}

void write_trace(hid_t group, const AdaptationTrace& trace) {
  const auto rows = trace.iteration.size();
  if (rows == 0) return;
  const Hdf5Id row = create_dimension(group, "row", static_cast<Index>(rows));
  const std::vector<double> iteration(trace.iteration.begin(), trace.iteration.end());
  write_values(group, {"iteration", H5T_NATIVE_INT64, {row}, {}}, iteration.data());
  visit_columns(trace, [&](const char* name, const std::vector<double>& column) {
    if (column.size() == rows)
      write_values(group, {name, H5T_NATIVE_DOUBLE, {row}, {}}, column.data());
  });
  for (const auto& [name, column] : trace.recorded) {
    if (has_link(group, name)) continue;  // a name of the file's own
    write_values(group, {name, H5T_NATIVE_DOUBLE, {row}, {}}, column.data());
  }
  if (trace.log_density.size() != rows || trace.log_density.front().empty()) return;
  const std::size_t lanes = trace.log_density.front().size();
  const Hdf5Id lane = create_dimension(group, "lane", static_cast<Index>(lanes));
  std::vector<double> values;
  for (const auto& states : trace.log_density) {
    if (states.size() != lanes) return;
    values.insert(values.end(), states.begin(), states.end());
  }
  write_values(group, {"log_density", H5T_NATIVE_DOUBLE, {row, lane}, {}}, values.data());
}

Hdf5Id new_batch(hid_t root, std::size_t batch) {
  return replaced_group(own_group(root), batch_name(batch));
}

/// The group of a batch with its final tuning; none where there is no such.
Hdf5Id adapted_batch(hid_t root, std::size_t batch) {
  const Hdf5Id own = own_group(root);
  if (!has_link(own, batch_name(batch))) return {};
  Hdf5Id group(H5Gopen2(own, batch_name(batch).c_str(), H5P_DEFAULT), batch_name(batch));
  return read_number(group, kAdapted).value_or(0) != 0 ? std::move(group) : Hdf5Id();
}

/// One list for writing and reading.
template <class Facts, class Visit>
void visit_chain_costs(Facts& facts, Visit visit) {
  visit_costs(facts, visit);
  visit("bad_points", facts.bad_points);
}

/// The last of the adapter's numbers, as attributes.
void write_recorded(hid_t group, const Learnt& learnt) {
  static const std::set<std::string> own = {"step_size", "dim", "metric", kAdapted, kRecorded};
  std::set<std::string> names;
  for (const auto& [name, number] : learnt.recorded) {
    if (own.contains(name)) continue;
    names.insert(name);
    if (!std::isnan(number)) write_attribute(group, name, number);
  }
  for (const auto& [name, column] : learnt.trace.recorded) names.insert(name);
  write_attribute(group, kRecorded, fmt::format("{}", fmt::join(names, " ")));
}

/// Files of earlier versions do not list them.
std::vector<std::string> recorded_names(hid_t group) {
  std::istringstream words(read_text(group, kRecorded).value_or("beta objective"));
  return {std::istream_iterator<std::string>(words), {}};
}

NamedNumbers read_recorded(hid_t group, const AdaptationTrace& trace) {
  NamedNumbers numbers;
  for (const std::string& name : recorded_names(group)) {
    const auto column = trace.recorded.find(name);
    const bool has_rows = column != trace.recorded.end() && !column->second.empty();
    std::optional<double> number = read_number(group, name);
    if (!number && has_rows) number = column->second.back();
    if (number) numbers[name] = *number;
  }
  return numbers;
}

AdaptationTrace read_trace(hid_t group) {
  AdaptationTrace trace;
  if (!has_link(group, "iteration")) return trace;
  for (const double done : read_values(group, "iteration")) {
    trace.iteration.push_back(static_cast<Index>(done));
  }
  visit_columns(trace, [&](const char* name, std::vector<double>& column) {
    if (has_link(group, name)) column = read_values(group, name);
  });
  for (const std::string& name : recorded_names(group)) {
    if (!has_link(group, name)) continue;
    std::vector<double> column = read_values(group, name);
    if (column.size() == trace.iteration.size()) trace.recorded[name] = std::move(column);
  }
  if (!has_link(group, "log_density")) return trace;
  const std::vector<double> values = read_values(group, "log_density");
  if (trace.iteration.empty() || values.size() % trace.iteration.size() != 0 || values.empty()) {
    throw UsageError("`log_density` does not fit `iteration`");
  }
  const std::size_t lanes = values.size() / trace.iteration.size();
  for (auto at = values.begin(); at != values.end(); at += static_cast<std::ptrdiff_t>(lanes)) {
    trace.log_density.emplace_back(at, at + static_cast<std::ptrdiff_t>(lanes));
  }
  return trace;
}

}  // namespace

void write_adapted(hid_t root, Index batch, const Tuning& tuning) {
  const Hdf5Id group = new_batch(root, static_cast<std::size_t>(batch));
  write_tuning(group, tuning);
  write_attribute(group, kAdapted, std::int64_t{1});
}

void write_learnt(hid_t root, const std::vector<Learnt>& learnt) {
  for (std::size_t b = 0; b < learnt.size(); ++b) {
    Hdf5Id batch = adapted_batch(root, b);
    if (batch < 0) {
      batch = new_batch(root, b);
      write_tuning(batch, learnt[b].tuning);
    }
    if (!has_link(batch, "iteration")) write_trace(batch, learnt[b].trace);
    write_recorded(batch, learnt[b]);
  }
}

std::vector<Learnt> read_learnt(hid_t root, const std::string& path,
                                std::vector<std::string>& warnings) try {
  std::vector<Learnt> learnt;
  if (!has_link(root, kOwnGroup)) return learnt;
  const Hdf5Id group = own_group(root);
  for (std::size_t b = 0; has_link(group, batch_name(b)); ++b) {
    const Hdf5Id batch(H5Gopen2(group, batch_name(b).c_str(), H5P_DEFAULT), batch_name(b));
    Learnt& one = learnt.emplace_back(Learnt{read_tuning(batch), read_trace(batch)});
    one.recorded = read_recorded(batch, one.trace);
  }
  return learnt;
} catch (const UsageError& error) {
  warnings.push_back(fmt::format("{}: what was learnt is left out: {}", path, error.what()));
  return {};
}

void write_chain_costs(hid_t root, const std::vector<MeasuredFacts>& chains) {
  if (chains.empty()) return;
  const Hdf5Id group = replaced_group(own_group(root), kChains);
  const Hdf5Id chain = create_dimension(group, "chain", static_cast<Index>(chains.size()));
  std::map<std::string, std::vector<double>> columns;
  for (const MeasuredFacts& facts : chains) {
    visit_chain_costs(facts, [&](const char* name, auto value) {
      columns[name].push_back(static_cast<double>(value));
    });
  }
  visit_chain_costs(chains.front(), [&](const char* name, auto value) {
    const bool real = std::is_floating_point_v<decltype(value)>;
    write_values(group, {name, real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64, {chain}, {}},
                 columns[name].data());
  });
}

std::vector<MeasuredFacts> read_chain_costs(hid_t root) {
  const std::string name = fmt::format("{}/{}", kOwnGroup, kChains);
  std::vector<MeasuredFacts> chains;
  if (!has_link(root, kOwnGroup) || !has_link(root, name)) return chains;
  const Hdf5Id group(H5Gopen2(root, name.c_str(), H5P_DEFAULT), name);
  chains.resize(read_values(group, "chain").size());
  MeasuredFacts any;
  visit_chain_costs(any, [&](const char* column, const auto&) {
    const std::vector<double> values = read_values(group, column);
    if (values.size() != chains.size()) throw Hdf5Error("the costs of the chains differ in number");
    for (std::size_t c = 0; c < chains.size(); ++c) {
      visit_chain_costs(chains[c], [&](const char* field, auto& value) {
        using Number = std::remove_reference_t<decltype(value)>;
        if (std::string_view(field) == column) value = static_cast<Number>(values[c]);
      });
    }
  });
  return chains;
}

}  // namespace gadwall::files
