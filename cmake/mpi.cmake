# libgadwall_mpi.so: teams of processes by MPI. The program loads it where mpirun or srun began
# several of it, and has no dependency on MPI itself.
option(GADWALL_WITH_MPI "Build libgadwall_mpi.so, for runs on many machines, where MPI is found" ON)
if(GADWALL_WITH_MPI)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS CXX)
endif()
if(GADWALL_WITH_MPI AND MPI_CXX_FOUND)
  add_library(gadwall_mpi MODULE src/mpi/mpi_launch.cpp src/mpi/mpi_team.cpp)
  set_target_properties(gadwall_mpi PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
                        UNITY_BUILD ${GADWALL_UNITY})
  target_include_directories(gadwall_mpi PRIVATE include src)
  target_link_libraries(gadwall_mpi PRIVATE gadwall_warnings MPI::MPI_CXX)
  install(TARGETS gadwall_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT mpi)
endif()
