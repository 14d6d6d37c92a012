// Which Stan CSV files an argument stands for.
#include <fmt/format.h>

#include <filesystem>

#include "files/stan_csv.hpp"
#include "files/stan_csv_file.hpp"
#include "gadwall/error.hpp"

namespace gadwall::files {
namespace {

std::string file_of_chain(const std::string& name, std::uint64_t chain) {
  return fmt::format("{}_{}.csv", name, chain);
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) && !std::filesystem::is_directory(path, ignored);
}

void add_run(const std::string& name, std::vector<std::string>& files) {
  const std::string first = file_of_chain(name, 1);
  const StanCsvComments comments = read_stan_csv_comments(first);
  const std::uint64_t announced = comments.number({"num_chains"}).value_or(0);
  // CmdStan started once per chain says num_chains = 1 in each file: then take what is there.
  const bool count_is_known = announced > 1 || (announced == 1 && comments.written_by_gadwall());
  files.push_back(first);
  for (std::uint64_t chain = 2; !count_is_known || chain <= announced; ++chain) {
    std::string file = file_of_chain(name, chain);
    if (!exists(file)) {
      if (!count_is_known) return;
      throw UsageError(
          fmt::format("{}: there is no such file, but {} says that the run has {} "
                      "chains",
                      file, first, announced));
    }
    files.push_back(std::move(file));
  }
}

}  // namespace

std::vector<std::string> find_run_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> files;
  for (const std::string& argument : arguments) {
    const bool is_file = exists(argument);
    // A compiled Stan program is often a file called NAME beside its NAME_1.csv.
    if (exists(file_of_chain(argument, 1)) && !(is_file && argument.ends_with(".csv"))) {
      add_run(argument, files);
    } else if (is_file) {
      files.push_back(argument);
    } else {
      throw UsageError(fmt::format("{}: there is no such file, and no {}.nc or {}", argument,
                                   argument, file_of_chain(argument, 1)));
    }
  }
  return files;
}

}  // namespace gadwall::files
