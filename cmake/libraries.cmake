# The libraries, each on those before it; gadwall::gadwall is all of them.
#   core     kernels, adapters, factors, starts, meetings, samplers, runs, diagnostics
#   files    draws, checkpoints and tables on disk
#   stan     Stan programs as targets
#   targets  the built-in targets, which read tables and Stan programs
#   report   the HTML page
#   session  what people say of a run in words, and how it goes: for the program and the C interface

# What the parts of a library are compiled with. KIND: STATIC or OBJECT.
function(gadwall_add_library target kind level)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "SOURCES;PUBLIC;PRIVATE")
  add_library(${target} ${kind} ${arg_SOURCES})
  # For libgadwall.so, and for the shared libraries of others. Hidden, so that the code is that of a
  # program: nothing can be put in the place of its functions when it is loaded.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
                        CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE src)
  target_link_libraries(${target}
    PUBLIC ${arg_PUBLIC}
    PRIVATE $<BUILD_INTERFACE:gadwall_warnings> fmt::fmt nlohmann_json::nlohmann_json ${arg_PRIVATE})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_definitions(${target} PRIVATE GADWALL_VERSION="${PROJECT_VERSION}")
  # Lets loops with sqrt and comparisons vectorise; nobody reads errno or the exception flags.
  target_compile_options(${target} PRIVATE -fno-math-errno -fno-trapping-math)
  gadwall_public_abi(${target})
  gadwall_fast_build(${target} ${level})
endfunction()

# A new target, kernel or adapter is one new file: the lists need no edit.
# LEVEL: how hard the compiler tries (gadwall_fast_build). PART name level sources...: those of them
# that are compiled at another level, together.
function(gadwall_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LEVEL" "FOLDERS;SOURCES;PART;PUBLIC;PRIVATE")
  set(target gadwall_${name})
  set(sources ${arg_SOURCES})
  foreach(folder ${arg_FOLDERS})
    file(GLOB found RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS src/${folder}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  if(arg_PART)
    list(POP_FRONT arg_PART part part_level)
    list(REMOVE_ITEM sources ${arg_PART})
    gadwall_add_library(${target}_${part} OBJECT ${part_level}
                        SOURCES ${arg_PART} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
    list(APPEND sources $<TARGET_OBJECTS:${target}_${part}>)
  endif()
  gadwall_add_library(${target} STATIC ${arg_LEVEL}
                      SOURCES ${sources} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  add_library(gadwall::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
endfunction()

include(cmake/stan_bridge.cmake)
# They work on names, texts and records and on no number of a draw.
file(GLOB core_words RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
     src/text/*.cpp src/samplers/*.cpp src/diagnostics/summary_*.cpp)
list(APPEND core_words src/adapters/learnable.cpp src/diagnostics/advice.cpp src/diagnostics/verdict.cpp
     src/factors/parts.cpp src/warps/layer_parts.cpp src/warps/words.cpp src/run/archive.cpp
     src/run/batch_facts.cpp src/run/before_run.cpp src/run/cbor.cpp src/run/file_groups.cpp
     src/run/host.cpp src/run/rendezvous.cpp src/run/run.cpp src/run/run_outcome.cpp src/run/sample.cpp
     src/run/share.cpp src/run/shared_run.cpp src/run/statistics.cpp src/run/watch.cpp)
gadwall_library(core LEVEL -O3
  FOLDERS math text threads factors warps kernels adapters starts meetings run samplers diagnostics
  PART words -Og ${core_words}
  PUBLIC Eigen3::Eigen Threads::Threads)
gadwall_library(files LEVEL -Og FOLDERS files
  PART draws -O3 src/files/netcdf_chunk.cpp src/files/netcdf_section.cpp src/files/queued_sink.cpp
                 src/files/short_run.cpp  # what every draw goes through
  PUBLIC gadwall_core PRIVATE ZLIB::ZLIB gadwall::storage)
# Two builds that differ in it alone differ in last bits, too.
target_compile_definitions(gadwall_files PRIVATE
                           GADWALL_MARCH="$<IF:$<BOOL:${GADWALL_MARCH}>,${GADWALL_MARCH},any>")
gadwall_library(stan LEVEL -Og FOLDERS stan SOURCES ${stan_bridge_source}
  PUBLIC gadwall_core PRIVATE gadwall_files ${CMAKE_DL_LIBS})
gadwall_library(targets LEVEL -O3 FOLDERS targets targets/logistic
  PUBLIC gadwall_core PRIVATE gadwall_files gadwall_stan)
gadwall_library(report LEVEL -Og FOLDERS report PUBLIC gadwall_core)
gadwall_library(session LEVEL -Og FOLDERS session PUBLIC gadwall_targets gadwall_files PRIVATE gadwall_stan)

# The hot loops, which the compiler sees alone, so that nothing beside them changes what it makes.
set_source_files_properties(
  src/math/triangular.cpp src/math/triangular_lanes.cpp src/adapters/rmsprop.cpp
  src/math/stack_product.cpp src/math/decompositions.cpp src/warps/bend_loss.cpp src/warps/recentring.cpp
  src/session/block_means.cpp src/session/live_estimates.cpp
  src/targets/logistic/logistic_lanes.cpp src/targets/logistic/logistic_coded.cpp
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>)

add_library(gadwall INTERFACE)
add_library(gadwall::gadwall ALIAS gadwall)
target_link_libraries(gadwall INTERFACE gadwall_report gadwall_session gadwall_targets gadwall_stan
                                        gadwall_files gadwall_core)
set(gadwall_libraries gadwall gadwall_core gadwall_files gadwall_stan gadwall_targets
                      gadwall_report gadwall_session)

# libgadwall.so: the C interface for other languages. Only its functions can be seen from outside.
# It is not part of a plain build: `cmake --build --preset release --target gadwall_shared`.
file(GLOB c_sources CONFIGURE_DEPENDS src/c/*.cpp)
add_library(gadwall_shared SHARED EXCLUDE_FROM_ALL ${c_sources})
set_target_properties(gadwall_shared PROPERTIES OUTPUT_NAME gadwall SOVERSION 0
                      VERSION ${PROJECT_VERSION} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
                      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                      LINK_DEPENDS ${PROJECT_SOURCE_DIR}/src/c/gadwall.map)
target_compile_definitions(gadwall_shared PRIVATE GADWALL_C_BUILD
                           GADWALL_VERSION="${PROJECT_VERSION}")
target_include_directories(gadwall_shared PRIVATE src)
target_link_libraries(gadwall_shared PRIVATE gadwall gadwall_warnings fmt::fmt
                      nlohmann_json::nlohmann_json gadwall::storage)
target_link_options(gadwall_shared PRIVATE
                    -Wl,--version-script=${PROJECT_SOURCE_DIR}/src/c/gadwall.map ${gadwall_no_undefined})
gadwall_fast_build(gadwall_shared -Og)

# For wheels with a libgadwall.so.0 per kind of processor.
add_library(gadwall_chooser MODULE EXCLUDE_FROM_ALL python/chooser.cpp)
set_target_properties(gadwall_chooser PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
                      BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
target_link_libraries(gadwall_chooser PRIVATE gadwall_shared)
target_link_options(gadwall_chooser PRIVATE -Wl,--no-as-needed)
