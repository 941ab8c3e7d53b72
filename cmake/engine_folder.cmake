# Object libraries for the folders of engine/, and what is linked from them.

# The few sources of jni are compiled one by one, and those of device, whose kernels name their own sizes alike.
set(accelerant_folders_without_units device jni)

# Adds the object library `target` when there are sources, and notes it under the global property `group`.
function(accelerant_add_objects target group pch)
  if(NOT ARGN)
    return()
  endif()
  add_library(${target} OBJECT ${ARGN})
  target_link_libraries(${target} PRIVATE accelerant_flags)
  target_precompile_headers(${target} REUSE_FROM ${pch})
  set_property(GLOBAL APPEND PROPERTY ${group} ${target})
endfunction()

# Compiles the sources of `target` eight at a time: most of them are short, and what a compiler reads before them takes
# longer than they do. So names in anonymous namespaces are a folder's own (scripts/check_layout.py).
function(accelerant_compile_in_units target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
endfunction()

# Gives `target` the headers that only its folder may include.
function(accelerant_allow_headers folder target)
  if(NOT TARGET ${target})
    return()
  endif()
  if(folder STREQUAL "io")
    target_link_libraries(${target} PRIVATE accelerant_arrow)
  elseif(folder STREQUAL "jni")
    target_link_libraries(${target} PRIVATE accelerant_jni_headers)
  endif()
endfunction()

# Adds the libraries of engine/<folder>: its sources, and its unit tests (*_test.cpp).
# A file *_main.cpp holds the main function of an executable and is left to accelerant_link_engine.
function(accelerant_add_folder folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/engine/${folder}/*.cpp)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_(test|main)\\.cpp$")
  set(pch accelerant_pch_std)
  if(folder STREQUAL "io")
    set(pch accelerant_pch_io)
  endif()
  if(folder STREQUAL "codegen")
    accelerant_embed_headers(embedded)
    list(APPEND sources ${embedded})
    # Kernels that are compiled at run time are checked as the rest is.
    set_property(SOURCE ${CMAKE_SOURCE_DIR}/engine/codegen/emulator_compiler.cpp APPEND PROPERTY COMPILE_DEFINITIONS
                 "ACCELERANT_SANITIZE=\"${ACCELERANT_SANITIZE}\"")
  endif()
  accelerant_add_objects(accelerant_${folder} ACCELERANT_ENGINE ${pch} ${sources})
  accelerant_add_objects(accelerant_${folder}_tests ACCELERANT_TESTS accelerant_pch_test ${tests})
  if(TARGET accelerant_${folder}_tests)
    target_compile_options(accelerant_${folder}_tests PRIVATE ${accelerant_test_options})
  endif()
  accelerant_allow_headers(${folder} accelerant_${folder})
  accelerant_allow_headers(${folder} accelerant_${folder}_tests)
  if(TARGET accelerant_${folder} AND NOT folder IN_LIST accelerant_folders_without_units)
    accelerant_compile_in_units(accelerant_${folder})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # It is meant for headers, which gcc takes the sources of a unit for.
      target_compile_options(accelerant_${folder} PRIVATE -Wno-subobject-linkage)
    endif()
  endif()
  if(folder STREQUAL "column_functions")
    accelerant_generate_category(over_columns ${CMAKE_SOURCE_DIR}/engine/column_functions/list.h)
    accelerant_add_objects(accelerant_column_function_definitions ACCELERANT_ENGINE accelerant_pch_std ${over_columns})
    accelerant_compile_in_units(accelerant_column_function_definitions)
  endif()
  if(folder STREQUAL "functions")
    accelerant_generate_functions(scalars aggregates)
    accelerant_add_objects(accelerant_function_definitions ACCELERANT_ENGINE accelerant_pch_functions ${scalars}
                           ${aggregates})
    target_compile_options(accelerant_function_definitions PRIVATE -O3)
    # Kernels hold them side by side as well.
    accelerant_compile_in_units(accelerant_function_definitions)
  endif()
endfunction()

# Links libaccelerant.so, the replay command and the unit tests from the folders' objects.
function(accelerant_link_engine)
  get_property(engine GLOBAL PROPERTY ACCELERANT_ENGINE)
  get_property(tests GLOBAL PROPERTY ACCELERANT_TESTS)
  set(common ${engine} accelerant_flags accelerant_crypto accelerant_arrow_libraries)
  set(empty ${CMAKE_BINARY_DIR}/generated/empty.cpp)

  add_library(accelerant SHARED ${empty})
  target_link_libraries(accelerant PRIVATE ${common})
  target_link_options(accelerant PRIVATE LINKER:--no-undefined)

  set(replay_main ${CMAKE_SOURCE_DIR}/engine/api/replay_main.cpp)
  file(GLOB replay_found CONFIGURE_DEPENDS ${replay_main})
  if(replay_found)
    add_executable(accelerant-replay ${replay_main})
    target_link_libraries(accelerant-replay PRIVATE ${common})
  endif()

  if(tests)
    find_package(GTest REQUIRED)
    add_executable(engine_tests ${empty})
    # The engine first: of a function that both compiled, the linker takes the first one.
    target_link_libraries(engine_tests PRIVATE ${common} ${tests} GTest::gtest_main)
  endif()
endfunction()

# Links device_tests and codegen_tests, on request only: the tests of engine/device and of engine/codegen without the
# rest of the engine, so that a sanitizer's build of them is a matter of minutes.
function(accelerant_link_device_tests)
  find_package(GTest REQUIRED)
  set(empty ${CMAKE_BINARY_DIR}/generated/empty.cpp)
  set(below accelerant_device accelerant_columns accelerant_types accelerant_memory accelerant_base accelerant_flags
            GTest::gtest_main)
  add_executable(device_tests EXCLUDE_FROM_ALL ${empty})
  target_link_libraries(device_tests PRIVATE accelerant_device_tests accelerant_columns_tests ${below})
  # Those of engine/codegen with what they need (of tests too), which includes no file of Parquet and no plan.
  add_executable(codegen_tests EXCLUDE_FROM_ALL ${empty})
  target_link_libraries(codegen_tests PRIVATE accelerant_codegen_tests accelerant_expressions_tests
                                              accelerant_columns_tests accelerant_codegen accelerant_aggregates
                                              accelerant_expressions accelerant_function_definitions
                                              accelerant_column_function_definitions accelerant_column_functions
                                              accelerant_execution
                                              ${below})
endfunction()

# Links accelerant-gpu-check, which needs nothing but glibc where it runs: the engine's folders up to codegen, and of
# plan and planner what turns a captured plan into steps. Of io it has what knows of no file.
function(accelerant_link_gpu_check)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/gpu_check/*.cpp)
  foreach(folder IN ITEMS plan planner)
    add_library(accelerant_${folder}_archive STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:accelerant_${folder}>)
  endforeach()
  # What it leaves out of them is in no unit with the rest.
  set(left_out operators open_tables)
  list(TRANSFORM left_out REPLACE "(.+)" "${CMAKE_SOURCE_DIR}/engine/planner/\\1.cpp")
  set_property(SOURCE ${left_out} PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
  accelerant_embed_captured_plans(plans)
  set(of_io read_settings read_options parquet_read_options)
  list(TRANSFORM of_io REPLACE "(.+)" "${CMAKE_SOURCE_DIR}/engine/io/\\1.cpp")
  add_executable(accelerant-gpu-check ${sources} ${plans} ${of_io})
  target_link_libraries(accelerant-gpu-check PRIVATE accelerant_planner_archive accelerant_plan_archive
                                                     accelerant_codegen accelerant_aggregates accelerant_expressions
                                                     accelerant_function_definitions
                                                     accelerant_column_function_definitions accelerant_column_functions
                                                     accelerant_execution
                                                     accelerant_device accelerant_columns accelerant_types
                                                     accelerant_memory accelerant_base accelerant_flags)
  target_include_directories(accelerant-gpu-check PRIVATE ${CMAKE_SOURCE_DIR}/tools/gpu_check)
  if(NOT ACCELERANT_SANITIZE)
    target_link_options(accelerant-gpu-check PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()

# Links accelerant-kernel-check, which compiles texts of kernels as the engine does.
function(accelerant_link_kernel_check)
  add_executable(accelerant-kernel-check ${CMAKE_SOURCE_DIR}/tools/kernel_check/kernel_check_main.cpp)
  target_link_libraries(accelerant-kernel-check PRIVATE accelerant_codegen accelerant_aggregates accelerant_expressions
                                                        accelerant_function_definitions
                                                     accelerant_column_function_definitions accelerant_column_functions
                                                     accelerant_execution
                                                        accelerant_device accelerant_columns accelerant_types
                                                        accelerant_memory accelerant_base accelerant_flags)
endfunction()
