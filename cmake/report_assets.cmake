# The files of the report page, put together at build time and embedded by src/report/assets.cpp.

find_path(GADWALL_VEGA vega-view.min.js HINTS /usr/share/javascript/vega
          DOC "Folder with Vega's modules (Debian: libjs-vega)" REQUIRED)
set(report_source ${PROJECT_SOURCE_DIR}/src/report)
set(report_assets ${PROJECT_BINARY_DIR}/report)
file(MAKE_DIRECTORY ${report_assets})

add_custom_command(
  OUTPUT ${report_assets}/vega.js
  COMMAND ${CMAKE_COMMAND} -DVEGA=${GADWALL_VEGA} -DLOADER=${report_source}/vega_loader.js
          -DOUT=${report_assets}/vega.js -P ${PROJECT_SOURCE_DIR}/cmake/bundle_vega.cmake
  DEPENDS ${report_source}/vega_loader.js ${PROJECT_SOURCE_DIR}/cmake/bundle_vega.cmake
  VERBATIM)

# The code of a page is a few scripts, one after the other.
function(gadwall_page_code name)
  set(scripts "")
  foreach(script ${ARGN})
    list(APPEND scripts ${report_source}/${script}.js)
  endforeach()
  add_custom_command(
    OUTPUT ${report_assets}/${name}.js
    COMMAND ${CMAKE_COMMAND} -E cat ${scripts} > ${report_assets}/${name}.js
    DEPENDS ${scripts})
endfunction()
gadwall_page_code(page data theme draw table overview parameter_plots stages learnt comparison main)
gadwall_page_code(reproduction data theme draw ../../app/reproduce/reproduction)

# A target of their own: else Ninja would have them wait for all that the report library links.
add_custom_target(gadwall_report_assets
  DEPENDS ${report_assets}/vega.js ${report_assets}/page.js ${report_assets}/reproduction.js)
add_dependencies(gadwall_report gadwall_report_assets)

set_source_files_properties(${report_source}/assets.cpp PROPERTIES
  COMPILE_DEFINITIONS "GADWALL_PAGE=\"${report_source}\";GADWALL_ASSETS=\"${report_assets}\""
  OBJECT_DEPENDS "${report_assets}/vega.js;${report_assets}/page.js;${report_assets}/reproduction.js;${report_source}/page.html;${report_source}/page.css"
  SKIP_PRECOMPILE_HEADERS ON)
