#pragma once

#include "execution/context.h"

#include <jni.h>

#include <memory>

namespace accelerant::jni {

/// Remembers the classes of io.accelerant.spark.BridgedFunction. Called once, while the library is loaded.
/// @return false with a Java exception pending when they can't be found
bool load_function_classes(JNIEnv* env);

/// Wraps an array of io.accelerant.spark.BridgedFunction for the engine, whose workers call them by the expressions of
/// the plan message that they compute. nullptr where there is none.
std::shared_ptr<const execution::Parameters> to_functions(JNIEnv* env, jobjectArray functions);

}  // namespace accelerant::jni
