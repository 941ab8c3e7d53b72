# Precompiled headers: one set of standard headers for the engine, one with Arrow for engine/io, one with GoogleTest for
# the unit tests, and one at -O3 for the function sources. Sources still include what they use: `make lint` compiles
# headers without these.

# Compiling the unit tests at -O2 takes a third longer, and running them hardly less.
# A test that calls a step knows how it ends.
set(accelerant_test_options -O1 -Wno-unused-result)

set(accelerant_std_headers
    <algorithm> <array> <atomic> <bit> <chrono> <concepts> <condition_variable> <cstddef> <cstdint> <cstring> <functional>
    <limits> <map> <memory> <mutex> <optional> <span> <string> <string_view> <thread> <tuple> <type_traits> <unordered_map>
    <utility> <variant> <vector>)
set(accelerant_arrow_headers <arrow/api.h> <arrow/io/api.h> <parquet/file_reader.h>)

file(WRITE ${CMAKE_BINARY_DIR}/generated/empty.cpp.in "")
configure_file(${CMAKE_BINARY_DIR}/generated/empty.cpp.in ${CMAKE_BINARY_DIR}/generated/empty.cpp COPYONLY)

# Adds an object library that owns a precompiled header; other targets use it with REUSE_FROM.
function(accelerant_add_precompiled_header name)
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/generated/empty.cpp)
  target_link_libraries(${name} PRIVATE accelerant_flags)
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

accelerant_add_precompiled_header(accelerant_pch_std ${accelerant_std_headers})
accelerant_add_precompiled_header(accelerant_pch_functions ${accelerant_std_headers})
target_compile_options(accelerant_pch_functions PRIVATE -O3)
accelerant_add_precompiled_header(accelerant_pch_test ${accelerant_std_headers} <gtest/gtest.h>)
target_compile_options(accelerant_pch_test PRIVATE ${accelerant_test_options})
accelerant_add_precompiled_header(accelerant_pch_io ${accelerant_std_headers} ${accelerant_arrow_headers})
target_link_libraries(accelerant_pch_io PRIVATE accelerant_arrow)
