# cmake --install, and find_package(gadwall) for the projects of others.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gadwall)
install(TARGETS ${gadwall_libraries} EXPORT gadwallTargets)
install(TARGETS gadwall_shared OPTIONAL)  # where it was built
install(DIRECTORY include/gadwall DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET gadwall_app)
  install(TARGETS gadwall_app COMPONENT program)
  install(TARGETS gadwall_commands EXPORT gadwallTargets)
endif()
install(EXPORT gadwallTargets NAMESPACE gadwall:: DESTINATION ${package_dir})
configure_package_config_file(cmake/gadwallConfig.cmake.in gadwallConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(gadwallConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gadwallConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/gadwallConfigVersion.cmake cmake/storage.cmake
        DESTINATION ${package_dir})
