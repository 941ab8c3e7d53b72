#pragma once

#include <jni.h>

#include <functional>

namespace accelerant::jni {

/// Remembers the classes that errors need. Called once, while the library is loaded by the class loader that has them.
/// @return false with a Java exception pending when they can't be found
bool load_error_class(JNIEnv* env);

/// Turns the C++ exception being handled into a pending io.accelerant.spark.NativeError.
void throw_current(JNIEnv* env) noexcept;

/// Runs `body`; an exception becomes a pending Java exception and the result T().
template <class Body>
auto guarded(JNIEnv* env, Body body) -> decltype(body()) {
  try {
    return body();
  } catch (...) {
    throw_current(env);
    return decltype(body())();
  }
}

}  // namespace accelerant::jni
