# Compiles every program here, one after the other: the compiler takes a gigabyte. What is in the
# cache from an earlier build is not compiled again.
#   cmake -DPROGRAM=... -DSOURCE=... -DOUT=... -P compile.cmake
file(MAKE_DIRECTORY ${OUT})
set(ENV{XDG_CACHE_HOME} ${OUT}/cache)
file(GLOB programs ${SOURCE}/*.stan)
foreach(path ${programs})
  cmake_path(GET path STEM name)
  execute_process(COMMAND ${PROGRAM} compile ${path} -o ${OUT}/${name}.so --flags=-O1 --force
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
