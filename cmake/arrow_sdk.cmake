# Arrow C++ and Parquet from the pyarrow wheel: headers and libraries as the target accelerant_arrow.
# The wheel's libraries carry their version in the file name and have no development symlink.

set(ACCELERANT_PYTHON ${CMAKE_SOURCE_DIR}/.venv/bin/python CACHE FILEPATH "Python that has pyarrow")
if(NOT EXISTS ${ACCELERANT_PYTHON})
  message(FATAL_ERROR "${ACCELERANT_PYTHON} is missing: run `make setup` first")
endif()

# Sets `result` to the one file that matches `pattern`.
function(accelerant_find_one result pattern)
  file(GLOB found ${pattern})
  list(LENGTH found count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "expected one file ${pattern}, found: '${found}'; run `make setup` again")
  endif()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

execute_process(
  COMMAND ${ACCELERANT_PYTHON} -c
          "import importlib.util; print(importlib.util.find_spec('pyarrow').submodule_search_locations[0], end='')"
  OUTPUT_VARIABLE pyarrow_dir COMMAND_ERROR_IS_FATAL ANY)
accelerant_find_one(arrow_library ${pyarrow_dir}/libarrow.so.*00)
accelerant_find_one(parquet_library ${pyarrow_dir}/libparquet.so.*00)

add_library(accelerant_arrow INTERFACE)
target_include_directories(accelerant_arrow SYSTEM INTERFACE ${pyarrow_dir}/include)

# What the final objects link; apart from the headers, so that only engine/io can include them.
add_library(accelerant_arrow_libraries INTERFACE)
target_link_libraries(accelerant_arrow_libraries INTERFACE ${parquet_library} ${arrow_library})
target_link_options(accelerant_arrow_libraries INTERFACE LINKER:-rpath,${pyarrow_dir} LINKER:-rpath-link,${pyarrow_dir})
