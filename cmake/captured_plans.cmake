# Makes a source that holds captured plans as bytes, for accelerant-gpu-check. As a script (-P) it writes the source
# `OUT` of the files of hexadecimal digits FOLDER/*.hex.

if(CMAKE_SCRIPT_MODE_FILE)
  set(arrays "")
  set(entries "")
  file(GLOB plans ${FOLDER}/*.hex)
  foreach(plan IN LISTS plans)
    file(READ ${plan} digits)
    string(REGEX REPLACE "[^0-9a-f]" "" digits "${digits}")
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${digits}")
    cmake_path(GET plan STEM name)
    string(APPEND arrays "constexpr uint8_t k_${name}[] = {${bytes}};\n")
    string(TOUPPER ${name} title)
    string(APPEND entries "      {\"${title}\", k_${name}},\n")
  endforeach()
  set(text "#include \"captured_plans.h\"\n\nnamespace accelerant::gpu_check {\n\nnamespace {\n\n${arrays}\n")
  string(APPEND text "}  // namespace\n\nstd::span<const CapturedPlan> captured_plans() {\n")
  string(APPEND text "  static const CapturedPlan kPlans[] = {\n${entries}  };\n  return kPlans;\n}\n\n")
  string(APPEND text "}  // namespace accelerant::gpu_check\n")
  file(WRITE ${OUT} "${text}")
  return()
endif()

# Sets `result` to the generated source.
function(accelerant_embed_captured_plans result)
  set(folder ${CMAKE_SOURCE_DIR}/tools/gpu_check/captured)
  file(GLOB plans CONFIGURE_DEPENDS ${folder}/*.hex)
  set(out ${CMAKE_BINARY_DIR}/generated/gpu_check/captured_plans.cpp)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DOUT=${out} -P ${CMAKE_SOURCE_DIR}/cmake/captured_plans.cmake
    DEPENDS ${plans} ${CMAKE_SOURCE_DIR}/cmake/captured_plans.cmake
    VERBATIM)
  set(${result} ${out} PARENT_SCOPE)
endfunction()
