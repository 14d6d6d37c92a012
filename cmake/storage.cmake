# HDF5 with its dimension scales, and libdeflate: what the draws files need. Also installed, since
# who links the static library links these too.
find_package(PkgConfig REQUIRED)
pkg_check_modules(GADWALL_HDF5 REQUIRED QUIET IMPORTED_TARGET hdf5)
pkg_check_modules(GADWALL_DEFLATE REQUIRED QUIET IMPORTED_TARGET libdeflate)
find_library(GADWALL_HDF5_SCALES hdf5_hl HINTS ${GADWALL_HDF5_LIBRARY_DIRS} REQUIRED)

# Debian's shared HDF5 needs libcurl and thirty libraries more, which take as long to load as a short
# run: an executable with the property GADWALL_OWN_HDF5 has its own, where there is such an archive.
find_library(GADWALL_HDF5_ARCHIVE libhdf5.a HINTS ${GADWALL_HDF5_LIBRARY_DIRS})
find_library(GADWALL_HDF5_SCALES_ARCHIVE libhdf5_hl.a HINTS ${GADWALL_HDF5_LIBRARY_DIRS})
find_library(GADWALL_SZIP sz)
mark_as_advanced(GADWALL_HDF5_SCALES GADWALL_HDF5_ARCHIVE GADWALL_HDF5_SCALES_ARCHIVE GADWALL_SZIP)

if(NOT TARGET gadwall::storage)
  add_library(gadwall::storage INTERFACE IMPORTED)
  set(gadwall_hdf5 ${GADWALL_HDF5_SCALES} PkgConfig::GADWALL_HDF5)
  target_include_directories(gadwall::storage INTERFACE ${GADWALL_HDF5_INCLUDE_DIRS})
  if(GADWALL_HDF5_ARCHIVE AND GADWALL_HDF5_SCALES_ARCHIVE AND GADWALL_SZIP)
    set(gadwall_own_hdf5 ${GADWALL_HDF5_SCALES_ARCHIVE} ${GADWALL_HDF5_ARCHIVE} ${GADWALL_SZIP} z ${CMAKE_DL_LIBS} m)
    set(gadwall_hdf5 "$<IF:$<BOOL:$<TARGET_PROPERTY:GADWALL_OWN_HDF5>>,${gadwall_own_hdf5},${gadwall_hdf5}>")
  endif()
  target_link_libraries(gadwall::storage INTERFACE "${gadwall_hdf5}" PkgConfig::GADWALL_DEFLATE)
endif()
