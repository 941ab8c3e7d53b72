# Flags common to everything that is compiled, as the interface target accelerant_flags.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
  message(FATAL_ERROR "gcc ${CMAKE_CXX_COMPILER_VERSION} is too old: Accelerant needs gcc 12 or later")
endif()

# Checks (ACC_DCHECK) are on where NDEBUG is not defined: every preset but release.
# Line tables only: enough for a backtrace, and half the compile time of full debug information.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

# ccache takes precompiled headers only with this sloppiness; the compiler checks their contents itself. Paths count
# from the checkout, so that one checkout has use of what another has compiled.
find_program(ACCELERANT_CCACHE ccache)
if(ACCELERANT_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${ACCELERANT_CCACHE})
endif()

set(ACCELERANT_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize=")

find_package(Threads REQUIRED)

add_library(accelerant_flags INTERFACE)
target_include_directories(accelerant_flags INTERFACE ${CMAKE_SOURCE_DIR}/engine ${CMAKE_BINARY_DIR}/generated)
# The baseline of every object; faster instruction sets live in sources of their own below engine/device.
target_compile_options(accelerant_flags INTERFACE -march=x86-64-v2)
# Of clang, which builds the fuzzers alone, no warning counts.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(accelerant_flags INTERFACE -Wall -Wextra -Wshadow -Werror -fpch-preprocess)
  # gcc 12 reports these of inlined std::string and std::vector code that is right (gcc bugs 105329, 105651).
  target_compile_options(accelerant_flags INTERFACE -Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict -Wno-array-bounds)
  # And at -O3, in units of several sources, that a std::optional without a value has none.
  target_compile_options(accelerant_flags INTERFACE $<$<CONFIG:Release>:-Wno-maybe-uninitialized>)
endif()
target_link_libraries(accelerant_flags INTERFACE Threads::Threads ${CMAKE_DL_LIBS})

if(ACCELERANT_SANITIZE)
  target_compile_options(accelerant_flags INTERFACE -fsanitize=${ACCELERANT_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(accelerant_flags INTERFACE -fsanitize=${ACCELERANT_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Instrumentation hides from gcc that a value is set.
    target_compile_options(accelerant_flags INTERFACE -Wno-maybe-uninitialized)
  elseif(ACCELERANT_SANITIZE MATCHES "address")
    target_compile_definitions(accelerant_flags INTERFACE __SANITIZE_ADDRESS__)  # as gcc says it
  endif()
  if(ACCELERANT_SANITIZE MATCHES "undefined")
    target_compile_options(accelerant_flags INTERFACE -fno-sanitize-recover=undefined)
  endif()
endif()
