// Puts the Stan CSV files of one run together.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

#include "files/column_facts.hpp"
#include "files/stan_csv.hpp"
#include "files/stan_csv_file.hpp"
#include "gadwall/error.hpp"
#include "text/number_text.hpp"

namespace gadwall::files {
namespace {

/// Where the parts of a row are.
struct ColumnMap {
  std::vector<Statistic> statistics;
  std::vector<Index> statistic_columns;
  std::vector<Index> parameters;
};

/// By the name of its column.
Statistic statistic_of(const std::string& column) {
  // Stan before 2.10 wrote n_divergent__.
  const std::string name = column == "n_divergent__" ? "divergent__" : column;
  const auto known = std::ranges::find(common_statistics(), name, &Statistic::stan);
  if (known != common_statistics().end()) return *known;
  return {name.substr(0, name.size() - 2)};
}

/// Names that end in __ are the sampler's; Stan allows no such parameter.
ColumnMap map_columns(const std::vector<std::string>& columns) {
  ColumnMap map;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const auto column = static_cast<Index>(j);
    if (columns[j].ends_with("__")) {
      map.statistics.push_back(statistic_of(columns[j]));
      map.statistic_columns.push_back(column);
    } else {
      map.parameters.push_back(column);
    }
  }
  return map;
}

Chain to_chain(const StanCsvFile& file, const ColumnMap& map) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto width = static_cast<Index>(file.columns.size());
  const Index kept = file.rows() - file.warmup_rows;
  const Eigen::Map<const Rows> rows(file.values.data() + file.warmup_rows * width, kept, width);
  Chain chain;
  chain.draws = rows(Eigen::all, map.parameters);
  chain.statistics = rows(Eigen::all, map.statistic_columns);
  return chain;
}

/// One file, ready to be put beside the others.
struct Part {
  std::string path;
  std::uint64_t id = 0;  // 0 where the file does not say
  std::uint64_t num_chains = 0;
  bool ours = false;
  RunFacts facts;
  std::vector<std::string> names;
  std::vector<Statistic> statistics;
  Chain chain;
};

/// Draws have the comments of a sampler, or columns that it names with __.
void require_draws(const StanCsvFile& file) {
  const bool has_statistics = std::ranges::any_of(
      file.columns, [](const std::string& name) { return name.ends_with("__"); });
  if (has_statistics || file.comments.by_known_sampler()) return;
  throw UsageError(
      fmt::format("{}: neither comments of Stan nor a column lp__, expected draws; `plain` takes "
                  "every column of a table for a parameter",
                  file.path));
}

Part read_part(const std::string& path, const ReadOptions& options,
               std::vector<std::string>& warnings) {
  const StanCsvFile file = read_stan_csv_file(path);
  warnings.insert(warnings.end(), file.warnings.begin(), file.warnings.end());
  if (file.columns.empty()) throw UsageError(fmt::format("{}: no draws; the file is empty", path));
  const ColumnMap map = map_columns(file.columns);
  if (map.parameters.empty()) throw UsageError(fmt::format("{}: no column of a parameter", path));
  if (file.rows() == file.warmup_rows) {
    throw UsageError(
        fmt::format("{}: no draws{}", path, file.rows() > 0 ? "; every line is warm-up" : ""));
  }
  if (!options.plain) require_draws(file);
  Part part{path,
            file.comments.number({"id", "chain_id"}).value_or(0),
            file.comments.number({"num_chains"}).value_or(0),
            file.comments.written_by_gadwall(),
            file.comments.facts(),
            {},
            map.statistics,
            to_chain(file, map)};
  for (const Index j : map.parameters) {
    part.names.push_back(file.columns[static_cast<std::size_t>(j)]);
  }
  return part;
}

void check_same_names(const Part& first, const Part& other) {
  if (first.names.size() != other.names.size()) {
    throw UsageError(fmt::format("{} has {} parameters and {} has {}: not one run", first.path,
                                 first.names.size(), other.path, other.names.size()));
  }
  for (std::size_t j = 0; j < first.names.size(); ++j) {
    if (first.names[j] == other.names[j]) continue;
    throw UsageError(fmt::format("parameter {} is '{}' in {} and '{}' in {}: not one run", j + 1,
                                 first.names[j], first.path, other.names[j], other.path));
  }
}

void check_no_file_twice(const std::vector<std::string>& files) {
  std::map<std::filesystem::path, std::string> seen;
  for (const std::string& file : files) {
    std::error_code ignored;  // a file that cannot be found is reported when it is opened
    std::filesystem::path real = std::filesystem::canonical(file, ignored);
    if (real.empty()) real = file;
    const auto [before, is_new] = seen.emplace(std::move(real), file);
    if (is_new) continue;
    throw UsageError(
        fmt::format("{}: the file is given twice{}", file,
                    file == before->second ? "" : " (also as " + before->second + ")"));
  }
}

/// Only our own files say enough: CmdStan repeats the id when one process runs several chains,
/// and its chains may have seeds of their own.
void warn_of_mixture(const Part& a, const Part& b, std::vector<std::string>& warnings) {
  if (!a.ours || !b.ours) return;
  if (a.facts.target != b.facts.target || a.facts.sampler != b.facts.sampler ||
      a.facts.seed != b.facts.seed || a.num_chains != b.num_chains) {
    warnings.push_back(fmt::format("{} and {} come from different runs", a.path, b.path));
  } else if (a.id == b.id) {
    warnings.push_back(fmt::format("{} and {} are both chain {}", a.path, b.path, a.id));
  }
}

void cut_to_shortest(std::vector<Part>& parts, std::vector<std::string>& warnings) {
  Index shortest = std::numeric_limits<Index>::max();
  Index longest = 0;
  for (const Part& part : parts) {
    shortest = std::min(shortest, part.chain.draws.rows());
    longest = std::max(longest, part.chain.draws.rows());
  }
  if (shortest == longest) return;
  const auto text = [](Index count) { return grouped(static_cast<std::uint64_t>(count)); };
  warnings.push_back(fmt::format("chains of {} to {} draws; all are cut to {}", text(shortest),
                                 text(longest), text(shortest)));
  for (Part& part : parts) {
    part.chain.draws.conservativeResize(shortest, Eigen::NoChange);
    part.chain.statistics.conservativeResize(shortest, Eigen::NoChange);
  }
}

/// The columns of the first file; NaN where another lacks one.
Matrix in_order_of(const std::vector<Statistic>& wanted, const Part& part) {
  if (part.statistics == wanted) return part.chain.statistics;
  Matrix ordered = Matrix::Constant(part.chain.statistics.rows(), static_cast<Index>(wanted.size()),
                                    std::numeric_limits<double>::quiet_NaN());
  for (std::size_t j = 0; j < wanted.size(); ++j) {
    const Index from = find_statistic(part.statistics, wanted[j].name);
    if (from >= 0) ordered.col(static_cast<Index>(j)) = part.chain.statistics.col(from);
  }
  return ordered;
}

/// Of files of ours that hold one chain twice, what tells it: seed and number of each.
std::vector<ChainRange> origins_where_mixed(const std::vector<Part>& parts) {
  std::vector<ChainRange> origins;
  std::set<std::pair<std::uint64_t, Index>> seen;
  for (const Part& part : parts) {
    if (!part.ours) return {};
    const Index chain = static_cast<Index>(part.id) - 1;
    origins.push_back({part.facts.seed, chain, 1});
    seen.emplace(part.facts.seed, chain);
  }
  return seen.size() < parts.size() ? origins : std::vector<ChainRange>();
}

void add_costs(MeasuredFacts& sum, const MeasuredFacts& facts) {
  sum.seconds.warmup = std::max(sum.seconds.warmup, facts.seconds.warmup);
  sum.seconds.sampling = std::max(sum.seconds.sampling, facts.seconds.sampling);
  sum.gradients.warmup += facts.gradients.warmup;
  sum.gradients.sampling += facts.gradients.sampling;
  sum.densities.warmup += facts.densities.warmup;
  sum.densities.sampling += facts.densities.sampling;
  sum.bad_points += facts.bad_points;
}

}  // namespace

ReadResult read_stan_csv(const std::vector<std::string>& files, const ReadOptions& options) {
  if (files.empty()) throw UsageError("no Stan CSV file was given");
  check_no_file_twice(files);
  ReadResult result;
  std::vector<Part> parts;
  for (const std::string& path : files) {
    parts.push_back(read_part(path, options, result.warnings));
    check_same_names(parts.front(), parts.back());
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.id < b.id; });
  for (std::size_t i = 1; i < parts.size(); ++i) {
    warn_of_mixture(parts[i - 1], parts[i], result.warnings);
  }
  cut_to_shortest(parts, result.warnings);
  Draws& draws = result.draws;
  draws.names = parts.front().names;
  draws.statistics = parts.front().statistics;
  draws.facts = parts.front().facts;
  draws.facts.origins = origins_where_mixed(parts);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) add_costs(draws.facts, parts[i].facts);
    parts[i].chain.statistics = in_order_of(draws.statistics, parts[i]);
    draws.chains.push_back(std::move(parts[i].chain));
  }
  add_column_facts(draws);
  return result;
}

}  // namespace gadwall::files
