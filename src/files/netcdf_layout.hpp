// How the flat names of a run become the arrays of a NetCDF file, and back.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gadwall/named_array.hpp"
#include "gadwall/types.hpp"

namespace gadwall::files {

/// One variable (chain, draw, shape...) of the file.
struct VariableLayout {
  std::string name;            // in the file
  std::string original;        // in the run: theta for theta.1.2; a scalar's whole name
  std::vector<Index> shape;    // empty: a scalar
  std::vector<Index> columns;  // of the run, by position in a row of the file (last index fastest)
  std::vector<std::string> labels = {};  // of the elements of an array; none: original.1, ...
  std::string labels_name = {};          // of the dimension that has them
  std::string group = {};                // of the file, as far as it matters
  std::optional<Index> place = {};       // among all variables of the run, where the file says it
  Index rows_together = 1;               // of a chain, in one piece of the file

  Index size() const { return static_cast<Index>(columns.size()); }
  std::string path() const { return group.empty() ? name : group + "/" + name; }
};

/// Neighbours x.1 ... x.n, or x.1.1, x.2.1, ... in Stan's column-major order from 1 to the last,
/// become one array; every other name stays a scalar. Characters that NetCDF forbids become
/// underscores, and names that would meet another variable or a dimension get one at the end; of
/// one that is too long for other tools the beginning and a checksum are kept.
/// Where there would be hundreds of variables neighbouring scalars become arrays whose elements are
/// labelled by their names, and if need be all do; where an array is given all are its elements.
std::vector<VariableLayout> group_names(const std::vector<std::string>& names,
                                        const std::optional<LabelledArray>& array = {});

/// Gives the variables, as they come, the columns of the run one after the other.
void number_columns(std::vector<VariableLayout>& variables);

/// The columns of a variable of this shape whose first one is given.
std::vector<Index> columns_of(const std::vector<Index>& shape, Index first);

/// The names of its elements in the order of the run.
std::vector<std::string> element_names(const VariableLayout& variable);
std::vector<std::string> element_names(const std::string& original,
                                       const std::vector<Index>& shape);

/// The dimension of the file that belongs to an index of a variable, as ArviZ calls it.
std::string dimension_name(const std::string& variable, std::size_t index);

/// A name that NetCDF allows and that is not taken yet; takes it.
std::string free_name(const std::string& wanted, std::set<std::string>& taken);

}  // namespace gadwall::files
