# HDF5 with its dimension scales, and libdeflate: what the draws files need. Also installed, since
# who links the static library links these too.
find_package(PkgConfig REQUIRED)
pkg_check_modules(GADWALL_HDF5 REQUIRED QUIET IMPORTED_TARGET hdf5)
pkg_check_modules(GADWALL_DEFLATE REQUIRED QUIET IMPORTED_TARGET libdeflate)
find_library(GADWALL_HDF5_SCALES hdf5_hl HINTS ${GADWALL_HDF5_LIBRARY_DIRS} REQUIRED)
mark_as_advanced(GADWALL_HDF5_SCALES)
if(NOT TARGET gadwall::storage)
  add_library(gadwall::storage INTERFACE IMPORTED)
  target_link_libraries(gadwall::storage INTERFACE ${GADWALL_HDF5_SCALES} PkgConfig::GADWALL_HDF5
                                                   PkgConfig::GADWALL_DEFLATE)
endif()
