#include "files/netcdf_wire.hpp"

#include "files/summary_archive.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

void require_fit(bool fits) {
  if (!fits) throw RunError("a part of a file that does not fit the others");
}

/// Calls each(i) for as many as are saved, each in a place of its own.
template <class T, class Each>
void archive_list(Archive& a, const std::string& name, std::vector<T>& list, Each each,
                  const T& fresh = T()) {
  auto count = static_cast<Index>(list.size());
  a((name + " count").c_str(), count);
  require_fit(count >= 0);
  struct Item {
    T& value;
    Each& fields;
    void archive(Archive& to) { fields(to, value); }
  };
  for (Index i = 0; i < count; ++i) {
    if (!a.is_saving()) list.push_back(fresh);
    Item item{list[static_cast<std::size_t>(i)], each};
    a((name + std::to_string(i)).c_str(), item);
  }
}

/// There may be a million of them, of which none holds a zero byte: one text.
void archive_texts(Archive& a, const std::string& name, std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + '\0';
  a(name.c_str(), all);
  if (a.is_saving()) return;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = all.find('\0', begin);
    require_fit(end != std::string::npos);
    texts.push_back(all.substr(begin, end - begin));
    begin = end + 1;
  }
}

void archive_variable(Archive& a, VariableLayout& v) {
  Index place = v.place.value_or(-1);
  a("name", v.name);
  a("original", v.original);
  a("shape", v.shape);
  archive_texts(a, "labels", v.labels);
  a("labels name", v.labels_name);
  a("group", v.group);
  a("place", place);
  a("rows together", v.rows_together);
  if (place >= 0) v.place = place;
  for (const Index extent : v.shape) require_fit(extent >= 0);
  require_fit(v.rows_together >= 1);
}

void archive_statistics(Archive& a, std::vector<Statistic>& statistics) {
  std::vector<std::string> names;
  std::vector<std::string> stan;
  std::vector<std::string> arviz;
  std::vector<Index> kinds;
  for (const Statistic& statistic : statistics) {
    names.push_back(statistic.name);
    stan.push_back(statistic.stan);
    arviz.push_back(statistic.arviz);
    kinds.push_back(static_cast<Index>(statistic.kind));
  }
  archive_texts(a, "names", names);
  archive_texts(a, "stan", stan);
  archive_texts(a, "arviz", arviz);
  a("kinds", kinds);
  if (a.is_saving()) return;
  const std::size_t count = kinds.size();
  require_fit(names.size() == count && stan.size() == count && arviz.size() == count);
  for (std::size_t i = 0; i < count; ++i) {
    require_fit(kinds[i] >= 0 && kinds[i] <= static_cast<Index>(Statistic::Kind::flag));
    statistics.push_back({names[i], static_cast<Statistic::Kind>(kinds[i]), stan[i], arviz[i]});
  }
}

/// The columns follow from the shapes.
void archive_variables(Archive& a, const char* name, std::vector<VariableLayout>& variables) {
  archive_list(a, name, variables, archive_variable);
  if (a.is_saving()) return;
  number_columns(variables);
  for (const VariableLayout& variable : variables) {
    require_fit(variable.labels.empty() ||
                variable.labels.size() == static_cast<std::size_t>(variable.size()));
  }
}

void archive_learnt(Archive& a, Learnt& learnt) {
  Index dim = learnt.tuning.factor().dim();
  a("dim", dim);
  require_fit(dim >= 0);
  if (!a.is_saving()) learnt.tuning = Tuning(Factor::unit(dim));
  a("tuning", learnt.tuning);
  a("trace", learnt.trace);
  a("recorded", learnt.recorded);
}

void archive_array(Archive& a, NamedArray& array) {
  a("name", array.name);
  a("shape", array.shape);
  a("values", array.values);
  std::size_t size = 1;
  for (const Index extent : array.shape) size *= static_cast<std::size_t>(extent);
  require_fit(size == array.values.size());
}

}  // namespace

void archive(Archive& a, NetcdfHead& head) {
  archive_facts(a, head.facts);
  archive_list(a, "stage ", head.facts.stages,
               [](Archive& to, StageFacts& stage) { stage.archive(to); });
  a("is finished", head.is_finished);
  a("created at", head.created_at);
  a("has warm-up", head.has_warmup);
}

void archive(Archive& a, NetcdfVariables& variables) {
  std::vector<Index> shape = {static_cast<Index>(variables.shape.chains),
                              static_cast<Index>(variables.shape.draws)};
  a("shape", shape);
  require_fit(shape.size() == 2 && shape[0] >= 0 && shape[1] >= 0);
  variables.shape = {static_cast<hsize_t>(shape[0]), static_cast<hsize_t>(shape[1])};
  archive_variables(a, "value ", variables.values);
  archive_variables(a, "statistic ", variables.statistics.variables);
  archive_statistics(a, variables.statistics.statistics);
  std::size_t columns = 0;
  for (const VariableLayout& variable : variables.statistics.variables) {
    columns += static_cast<std::size_t>(variable.size());
  }
  require_fit(!variables.values.empty() && columns == variables.statistics.statistics.size());
}

void archive(Archive& a, NetcdfLearnt& learnt) {
  archive_list(a, "batch ", learnt.learnt, archive_learnt, Learnt{Tuning(Factor::unit(0)), {}});
  a("warnings", learnt.warnings);
}

void archive(Archive& a, std::vector<MeasuredFacts>& costs) {
  archive_list(a, "chain ", costs, archive_measured);
}

void archive(Archive& a, TargetData& data) {
  archive_list(a, "constant ", data.constant, archive_array);
  archive_list(a, "observed ", data.observed, archive_array);
}

}  // namespace gadwall::files
