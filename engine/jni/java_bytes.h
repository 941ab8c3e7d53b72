#pragma once

#include "io/arrow_messages.h"

#include <jni.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace accelerant::jni {

/// Copies a byte[].
std::vector<uint8_t> to_bytes(JNIEnv* env, jbyteArray array);

/// Asks a java.util.function.Supplier<byte[]>; nullopt where it throws.
std::optional<std::vector<uint8_t>> supplied_bytes(JNIEnv* env, jobject supplier);

/// Makes a byte[][] of messages, one each. Returns nullptr with a Java exception pending when the heap has no room.
/// @throws Error Resource when a message is longer than an array can be
jobjectArray to_java(JNIEnv* env, const std::vector<io::ArrowMessage>& messages);

}  // namespace accelerant::jni
