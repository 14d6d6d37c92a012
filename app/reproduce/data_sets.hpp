// The data sets of the paper: in which files they come, and how each becomes a target.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gadwall/target.hpp"

namespace gadwall::app::reproduce {

/// One way in which a data set may lie in the data directory: all of these files, each plain or
/// with .gz behind its name.
struct DataForm {
  std::vector<std::string> files;
  bool idx = false;  // images and labels of MNIST; else tables, one below the other
};

struct DataSet {
  std::string name;
  std::string title;
  Index rows;
  Index features;
  std::vector<DataForm> forms;  // the first that is there is taken
  std::string origin;           // of the original files
  double scale = 0;             // features are divided by it; 0: standardised
  Index ones = 0;               // rows of class 1, where it matters which is which; 0: not counted
};

const std::vector<DataSet>& data_sets();
const DataSet& find_data_set(const std::string& name);

/// The files of a form that is complete in the directory.
struct DataFiles {
  bool idx = false;
  std::vector<std::string> paths;
};
std::optional<DataFiles> find_files(const DataSet& set, const std::filesystem::path& directory);

/// MNIST only: which of the images carry the label 1.
enum class Labels {
  true_classes,
  authors  // the first 5918 of [fives; sixes], as in the released script: 497 sixes among them
};

/// Logistic regression, prior N(0, 1) on every weight, a bias last. UsageError where a file cannot
/// be read or is not the data set: its rows and features are counted.
std::shared_ptr<const Target> load_data_set(const DataSet& set, const DataFiles& files,
                                            Labels labels);

/// What to get, from where, and how to bring it into a form that is read; a paragraph.
std::string how_to_get(const DataSet& set);

}  // namespace gadwall::app::reproduce
