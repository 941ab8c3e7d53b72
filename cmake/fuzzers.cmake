# libFuzzer's targets, one a source tests/fuzz/<name>_fuzz.cpp, and what writes their seeds. See scripts/fuzz.

# What parsers of bytes stand on; the rest of the engine is left out.
set(accelerant_fuzzed base types memory execution columns device expressions aggregates io plan function_definitions
    column_functions column_function_definitions)

# Adds the target fuzzers, which builds all of them. Needs clang.
function(accelerant_add_fuzzers)
  set(engine ${accelerant_fuzzed})
  list(TRANSFORM engine PREPEND accelerant_)
  set(linked ${engine} accelerant_flags accelerant_arrow accelerant_arrow_libraries)
  add_custom_target(fuzzers)

  # Files of the unit tests.
  find_package(GTest REQUIRED)
  add_library(fuzz_files OBJECT EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/engine/io/test_files_test.cpp
              ${CMAKE_SOURCE_DIR}/engine/io/test_nested_files_test.cpp
              ${CMAKE_SOURCE_DIR}/engine/io/test_orc_files_test.cpp
              ${CMAKE_SOURCE_DIR}/engine/columns/test_columns_test.cpp)
  target_link_libraries(fuzz_files PRIVATE accelerant_flags accelerant_arrow)
  list(APPEND linked fuzz_files GTest::gtest)

  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/fuzz/*_fuzz.cpp)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    add_executable(${name} EXCLUDE_FROM_ALL ${source})
    target_link_libraries(${name} PRIVATE ${linked})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzzers ${name})
  endforeach()

  add_executable(write_seeds EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/fuzz/write_seeds.cpp)
  target_link_libraries(write_seeds PRIVATE ${linked})
  add_dependencies(fuzzers write_seeds)
endfunction()
