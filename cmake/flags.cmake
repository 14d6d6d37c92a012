# Warnings (errors), the processor, sanitizers.

add_library(gadwall_warnings INTERFACE)
target_compile_options(gadwall_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow
                       $<$<CXX_COMPILER_ID:GNU>:-Werror>  # clang compiles for sanitizers and fuzzing, and warns of other things
                       -Wno-init-self  # g++ 12 writes "x = x" in its own AVX-512 headers
                       -Wno-psabi)  # vectors wider than a build without AVX has never cross a boundary

if(GADWALL_SANITIZE)
  add_compile_options(-fsanitize=${GADWALL_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all
                      $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>  # g++ 12: false alarms
                      # Eigen takes rows of matrices without columns, which are at no address.
                      $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=pointer-overflow>)
  add_link_options(-fsanitize=${GADWALL_SANITIZE})
endif()
# Shared libraries miss nothing; but clang's sanitizers are in the program that loads them.
set(gadwall_no_undefined -Wl,--no-undefined)
if(GADWALL_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  set(gadwall_no_undefined "")
endif()

# What is compiled for one level of x86-64 says so: ld.so refuses it where the processor has less.
if(GADWALL_MARCH MATCHES "^x86-64-v[234]$")
  add_link_options(-Wl,-z,${GADWALL_MARCH})
endif()

# Eigen matrices cross the library's boundary: both sides must agree on their alignment and, so
# that inline code is the same on both, on the processor. Hence PUBLIC. They are aligned to the widest
# registers there are: with less, a sum would begin where the allocator happened to put it, and its
# last digit differ from run to run.
set(gadwall_alignment EIGEN_MAX_ALIGN_BYTES=64)
function(gadwall_public_abi target)
  target_compile_definitions(${target} PUBLIC ${gadwall_alignment})
  if(GADWALL_MARCH)
    target_compile_options(${target} PUBLIC -march=${GADWALL_MARCH})
  endif()
endfunction()

# Most of a build is Eigen's, fmt's and JSON's templates, made again for each source: so sources of
# one library go to the compiler many at a time. With so few of them a precompiled header takes
# longer to make than it saves. LEVEL: how much of a release build the compiler spends on making the
# code fast; the hot loops have a level of their own.
function(gadwall_fast_build target level)
  set(batch 48)
  if(level STREQUAL "-Og")  # one call of the compiler for a library: what it reads of headers is most
    set(batch 0)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${GADWALL_UNITY} UNITY_BUILD_BATCH_SIZE ${batch})
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>
                         # g++ tidies its memory up less often: a twentieth of its time
                         $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>)
endfunction()
