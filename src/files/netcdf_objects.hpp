// Groups, dimensions, variables and attributes in the way NetCDF-4 lays them out in HDF5.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "files/netcdf_layout.hpp"
#include "gadwall/named_array.hpp"
#include "gadwall/types.hpp"

namespace gadwall::files {

/// Debian's HDF5 is not thread-safe: whoever calls it holds one of these, or several. It also keeps
/// HDF5 from printing its errors.
class Hdf5Session {
 public:
  Hdf5Session();
  ~Hdf5Session();
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;
};

/// Thrown inside the reader and the writer, which put the name of the file before it.
class Hdf5Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An identifier of HDF5, closed with its owner. A negative one throws Hdf5Error.
class Hdf5Id {
 public:
  Hdf5Id() = default;
  Hdf5Id(hid_t id, const std::string& what);
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Hdf5Id();
  operator hid_t() const { return id_; }  // NOLINT: it is what HDF5 takes

 private:
  hid_t id_ = -1;
};

/// Throws Hdf5Error where HDF5 says that it failed.
void require(herr_t status, const std::string& what);

/// For numbers and texts that are converted on their way: unasked HDF5 clears a megabyte for it
/// each time, however few they are.
Hdf5Id little_at_a_time();

/// Properties for a new file, group or dataset that keeps the order of creation, as NetCDF wants.
Hdf5Id in_creation_order(hid_t kind);

Hdf5Id create_group(hid_t parent, const std::string& name);
/// In the place of one that was there.
Hdf5Id replaced_group(hid_t parent, const std::string& name);

/// Hdf5Error where it leads to another file.
bool has_link(hid_t parent, const std::string& name);

/// Hdf5Error where there is none, or its values are in another file.
Hdf5Id open_dataset(hid_t group, const std::string& name);

/// The int64 coordinate 0, 1, ... of a dimension. Without a length it is unlimited and empty, and
/// is stored in chunks of `chunk`.
Hdf5Id create_dimension(hid_t group, const std::string& name, std::optional<Index> length,
                        Index chunk = 1);

/// The coordinate of a dimension whose places have names.
Hdf5Id create_labels(hid_t group, const std::string& name, const std::vector<std::string>& labels);

/// On a variable whose elements have names of their own: the dimension that has them.
inline const std::string kLabelsAttribute = "gadwall_labels";

/// On a variable in a group of its own: its place among all variables of the run.
inline const std::string kPlaceAttribute = "gadwall_place";

struct NewVariable {
  std::string name;
  hid_t type = H5T_NATIVE_DOUBLE;
  std::vector<hid_t> dimensions;
  std::vector<hsize_t> chunk;  // empty: contiguous; else deflated
  bool shuffled = true;        // before it is deflated
};
Hdf5Id create_variable(hid_t group, const NewVariable& variable);

/// With its values.
void write_values(hid_t group, const NewVariable& variable, const double* values);
/// All values of a variable.
std::vector<double> read_values(hid_t group, const std::string& name);

/// Replaces an attribute of the same name.
void write_attribute(hid_t object, const std::string& name, const std::string& text);
void write_attribute(hid_t object, const std::string& name, double value);
void write_attribute(hid_t object, const std::string& name, std::int64_t value);

std::optional<std::string> read_text(hid_t object, const std::string& name);
std::optional<double> read_number(hid_t object, const std::string& name);
std::vector<std::string> attribute_names(hid_t object);

std::vector<hsize_t> extents(hid_t dataset);

/// The groups of a target's data.
inline const std::string kConstantData = "constant_data";
inline const std::string kObservedData = "observed_data";

/// The variables of such a group, its dimensions aside; none where there is no such group.
std::vector<NamedArray> read_arrays(hid_t root, const std::string& group_name);

/// Hdf5Error for a shape that cannot be in the bytes that the file holds of it.
void require_plausible(hid_t dataset, const std::string& name);

/// The variables (chain, draw, ...) of a group in the order of their creation, and of their names
/// where no order was kept.
std::vector<VariableLayout> find_variables(hid_t group);

}  // namespace gadwall::files
