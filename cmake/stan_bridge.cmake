# The files of src/stan/bridge as text in the library: the program compiles them into Stan models,
# wherever it is installed.
set(stan_bridge_source ${CMAKE_CURRENT_BINARY_DIR}/bridge_text.cpp)
foreach(name bridge.cpp calls_of_r.hpp json_context.hpp json_data.hpp model.hpp)
  set(path ${CMAKE_CURRENT_SOURCE_DIR}/src/stan/bridge/${name})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(READ ${path} stan_bridge_text)
  string(APPEND stan_bridge_rows
         "      {\"${name}\", R\"gadwall(${stan_bridge_text})gadwall\"},\n")
endforeach()
configure_file(src/stan/bridge_text.cpp.in ${stan_bridge_source} @ONLY)
