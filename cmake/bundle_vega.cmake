# cmake -DVEGA=folder -DLOADER=vega_loader.js -DOUT=vega.js -P bundle_vega.cmake
# Debian ships Vega as one file a module, each with its part of d3 inside. They follow one another
# here in the order of their needs; vega_loader.js says how they find each other.

file(READ ${LOADER} loader)
file(WRITE ${OUT} "(function () {\n${loader}\n")
foreach(module util time format loader dataflow canvas scale scenegraph statistics expression
        event-selector selection functions runtime parser view encode transforms view-transforms
        projection geo)
  file(READ ${VEGA}/vega-${module}.min.js code)
  string(REGEX REPLACE "//# sourceMappingURL=[^\n]*" "" code "${code}")
  file(APPEND ${OUT} "current = \"vega-${module}\";\n${code}\n")
endforeach()
file(APPEND ${OUT} "globalThis.vega = assemble();\n})();\n")
