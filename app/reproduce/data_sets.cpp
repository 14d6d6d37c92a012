// The table of data sets, and where their files are.
#include "reproduce/data_sets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "text/nearest_name.hpp"

namespace gadwall::app::reproduce {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCoil =
    "UCI Machine Learning Repository, The Insurance Company Benchmark (COIL 2000)";
constexpr const char* kStatlog = "UCI Machine Learning Repository, Statlog";
constexpr const char* kPrnn = "B. D. Ripley, Pattern Recognition and Neural Networks, PRNN.tar.gz";

DataSet mnist() {
  return {"mnist",
          "MNIST \"5\" versus \"6\"",
          11339,
          784,
          {{{"mnist56.csv"}},
           {{"train-images-idx3-ubyte", "train-labels-idx1-ubyte"}, true},
           {{"train-images.idx3-ubyte", "train-labels.idx1-ubyte"}, true}},
          "Y. LeCun, C. Cortes & C. Burges, the MNIST database of handwritten digits: "
          "train-images-idx3-ubyte and train-labels-idx1-ubyte",
          255,
          5918};  // the sixes; there are 5421 fives
}

std::vector<DataSet> make_rows() {
  const auto table = [](const std::string& name, const std::vector<std::string>& originals) {
    return std::vector<DataForm>{{{name + ".csv"}}, {originals}};
  };
  const auto from = [](const char* source, const char* what) {
    return fmt::format("{}: {}", source, what);
  };
  return {
      {"caravan", "Caravan", 5822, 85, table("caravan", {"ticdata2000.txt"}),
       from(kCoil, "ticdata2000.txt")},
      {"australian", "Australian Credit", 690, 14, table("australian", {"australian.dat"}),
       from(kStatlog, "Australian Credit Approval, australian.dat")},
      {"ripley", "Ripley", 250, 2, table("ripley", {"synth.tr"}),
       from(kPrnn, "synth.tr; also synth.tr of R's package MASS")},
      {"pima", "Pima Indian", 532, 7, table("pima", {"pima.tr", "pima.te"}),
       from(kPrnn, "pima.tr and pima.te; also Pima.tr and Pima.te of R's package MASS")},
      {"heart", "Heart", 270, 13, table("heart", {"heart.dat"}),
       from(kStatlog, "Heart, heart.dat")},
      {"german", "German Credit", 1000, 24, table("german", {"german.data-numeric"}),
       from(kStatlog, "German Credit Data, german.data-numeric")},
      mnist(),
  };
}

std::optional<std::string> find_file(const fs::path& directory, const std::string& name) {
  for (const char* ending : {"", ".gz"}) {
    const fs::path path = directory / (name + ending);
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) return path.string();
  }
  return {};
}

std::string form_text(const DataForm& form) {
  return fmt::format("{}", fmt::join(form.files, " and "));
}

}  // namespace

const std::vector<DataSet>& data_sets() {
  static const std::vector<DataSet> rows = make_rows();
  return rows;
}

const DataSet& find_data_set(const std::string& name) {
  std::vector<std::string> names;
  for (const DataSet& set : data_sets()) {
    if (set.name == name) return set;
    names.push_back(set.name);
  }
  refuse_unknown("data set", name, names);
}

std::optional<DataFiles> find_files(const DataSet& set, const fs::path& directory) {
  for (const DataForm& form : set.forms) {
    DataFiles files{.idx = form.idx, .paths = {}};
    for (const std::string& name : form.files) {
      if (const auto path = find_file(directory, name)) files.paths.push_back(*path);
    }
    if (files.paths.size() == form.files.size()) return files;
  }
  return {};
}

std::string how_to_get(const DataSet& set) {
  std::vector<std::string> forms;
  for (const DataForm& form : set.forms) forms.push_back(form_text(form));
  return fmt::format(
      "{} ({} rows, {} features)\n"
      "  file:   {}\n"
      "  from:   {}\n"
      "  form:   the original as it is distributed; or {} with a header line, one row an example,\n"
      "          {} features{}, then y, the class as 0 or 1{}.\n"
      "          Each may be compressed with gzip.\n",
      set.title, set.rows, set.features, fmt::join(forms, ", or "), set.origin,
      set.forms.front().files.front(), set.features,
      set.scale > 0 ? " (pixels 0 to 255, row by row)" : "",
      set.ones > 0 ? fmt::format(" (1: a six, {} rows)", set.ones) : "");
}

}  // namespace gadwall::app::reproduce
