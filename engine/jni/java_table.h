#pragma once

#include "io/external_table.h"

#include <jni.h>

namespace accelerant::jni {

/// Remembers the classes of io.accelerant.spark.ExternalTable. Called once, while the library is loaded.
/// @return false with a Java exception pending when they can't be found
bool load_table_classes(JNIEnv* env);

/// Wraps an array of io.accelerant.spark.ExternalTable for the engine, whose workers call them.
io::ExternalTables to_tables(JNIEnv* env, jobjectArray tables);

}  // namespace accelerant::jni
