# Makes a source that holds the text of the headers that generated kernels include: compilers of kernels get them from
# memory. As a script (-P) it writes the source `OUT` of the files listed in `LIST`, named as below `ROOT`.

set(accelerant_embedded_patterns
    engine/base/macros.h
    engine/base/mix_bits.h
    engine/types/*.h
    engine/functions/*.h
    engine/expressions/eval_mode.h
    engine/expressions/function_body.h
    engine/device/block.h
    engine/device/cuda/threads.cuh
    engine/device/kernel.h
    engine/device/kernels/state_words.h
    engine/device/kernels/update_groups.h
    engine/device/emulator/block.h
    engine/device/emulator/kernel_thread.h
    engine/codegen/group_arguments.h
    engine/codegen/row_*.h)

if(CMAKE_SCRIPT_MODE_FILE)
  set(text "#include \"codegen/embedded_headers.h\"\n\nnamespace accelerant::codegen {\n\n")
  string(APPEND text "const std::map<std::string, std::string>& embedded_headers() {\n")
  string(APPEND text "  static const std::map<std::string, std::string> kHeaders = {\n")
  file(STRINGS ${LIST} headers)
  foreach(header IN LISTS headers)
    file(READ ${header} content)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${ROOT} OUTPUT_VARIABLE name)
    string(APPEND text "{\"${name}\", R\"EMBEDDED(${content})EMBEDDED\"},\n")
  endforeach()
  string(APPEND text "  };\n  return kHeaders;\n}\n\n}  // namespace accelerant::codegen\n")
  file(WRITE ${OUT} "${text}")
  return()
endif()

# Sets `result` to the generated source.
function(accelerant_embed_headers result)
  list(TRANSFORM accelerant_embedded_patterns PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${patterns})
  set(out ${CMAKE_BINARY_DIR}/generated/codegen/embedded_headers.cpp)
  list(JOIN headers "\n" lines)
  set(list ${CMAKE_BINARY_DIR}/generated/codegen/embedded_headers.txt)
  file(WRITE ${list} "${lines}\n")
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DLIST=${list} -DROOT=${CMAKE_SOURCE_DIR}/engine -DOUT=${out}
            -P ${CMAKE_SOURCE_DIR}/cmake/embedded_headers.cmake
    DEPENDS ${headers} ${CMAKE_SOURCE_DIR}/cmake/embedded_headers.cmake
    VERBATIM)
  set(${result} ${out} PARENT_SCOPE)
endfunction()
