# The JDK's jni.h as the target accelerant_jni_headers: from JAVA_HOME, else from where javac really lies.

if(DEFINED ENV{JAVA_HOME})
  set(jdk_dir $ENV{JAVA_HOME})
else()
  find_program(ACCELERANT_JAVAC javac REQUIRED)
  file(REAL_PATH ${ACCELERANT_JAVAC} javac_path)
  cmake_path(GET javac_path PARENT_PATH javac_dir)
  cmake_path(GET javac_dir PARENT_PATH jdk_dir)
endif()
if(NOT EXISTS ${jdk_dir}/include/jni.h)
  message(FATAL_ERROR "${jdk_dir}/include/jni.h is missing: set JAVA_HOME to a JDK 17, or run `make setup`")
endif()

add_library(accelerant_jni_headers INTERFACE)
target_include_directories(accelerant_jni_headers SYSTEM INTERFACE ${jdk_dir}/include ${jdk_dir}/include/linux)
