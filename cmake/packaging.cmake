# pkg-config files, and a Debian package of everything, which scripts/package makes.

# gadwall: the C interface, libgadwall.so. gadwall++: the static libraries, for C++.
set(gadwall_flags "")
if(GADWALL_MARCH)
  set(gadwall_flags -march=${GADWALL_MARCH})
endif()
foreach(name gadwall gadwall++)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# Where Debian's Python looks; not with a plain `cmake --install`, whose prefix Python does not know.
install(DIRECTORY python/gadwall DESTINATION lib/python3/dist-packages COMPONENT python
        EXCLUDE_FROM_ALL FILES_MATCHING PATTERN "*.py" PATTERN "py.typed"
        PATTERN "__pycache__" EXCLUDE)

# The program whose code is in a shared library, instead of that in one piece.
if(TARGET gadwall_packaged)
  install(TARGETS gadwall_packaged COMPONENT packaged EXCLUDE_FROM_ALL)
  install(TARGETS gadwall_main LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/gadwall
          COMPONENT packaged EXCLUDE_FROM_ALL)
endif()

set(CPACK_GENERATOR DEB)
# Without libgadwall_mpi.so, for which everybody would have to install MPI.
set(CPACK_INSTALL_CMAKE_PROJECTS)
foreach(component Unspecified packaged python)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};gadwall;${component};/")
endforeach()
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_NAME gadwall)
set(CPACK_PACKAGE_CONTACT "gadwall's makers <gadwall@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Samplers that learn a full proposal covariance from gradients, for Stan
programs, regressions and densities of your own: a program, a shared library with
a C interface, static libraries for C++ and a Python module.")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # libraries, by dpkg-shlibdeps
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "python3-xarray, libeigen3-dev, libfmt-dev, libhdf5-dev, libdeflate-dev, zlib1g-dev, pkg-config, r-cran-rstan")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
install(FILES LICENSE DESTINATION share/doc/gadwall RENAME copyright)
include(CPack)
