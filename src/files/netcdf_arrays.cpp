// The data of a target as groups of a NetCDF file.
#include "files/netcdf_arrays.hpp"

#include <set>
#include <stdexcept>

#include "files/netcdf_facts.hpp"

namespace gadwall::files {

void write_arrays(hid_t root, const std::string& group_name,
                  const std::vector<NamedArray>& arrays) {
  if (arrays.empty()) return;
  const Hdf5Id group = create_group(root, group_name);
  write_origin(group);
  std::set<std::string> taken;
  for (const NamedArray& array : arrays) {
    NewVariable variable{free_name(array.name, taken), H5T_NATIVE_DOUBLE, {}, {}};
    std::vector<Hdf5Id> dimensions;
    for (std::size_t d = 0; d < array.shape.size(); ++d) {
      const std::string name = free_name(dimension_name(variable.name, d), taken);
      dimensions.push_back(create_dimension(group, name, array.shape[d]));
      variable.dimensions.push_back(dimensions.back());
    }
    const Hdf5Id dataset = create_variable(group, variable);
    if (array.values.empty()) continue;
    require(
        H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()),
        "the data " + array.name);
  }
}

void check_arrays(const std::vector<NamedArray>& arrays) {
  for (const NamedArray& array : arrays) {
    std::size_t size = 1;
    for (const Index extent : array.shape) size *= static_cast<std::size_t>(extent);
    if (size != array.values.size()) {
      throw std::logic_error("NetcdfWriter: the shape of " + array.name + " is not its size");
    }
  }
}

}  // namespace gadwall::files
