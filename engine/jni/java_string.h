#pragma once

#include <jni.h>

#include <string>
#include <string_view>
#include <vector>

namespace accelerant::jni {

/// Makes a Java string of UTF-8; a byte that starts no valid sequence becomes U+FFFD. (JNI's own NewStringUTF wants
/// "modified UTF-8".) Returns nullptr with a Java exception pending when there is no memory.
jstring to_java(JNIEnv* env, std::string_view text);

/// Makes a String[] of texts. Returns nullptr with a Java exception pending when there is no memory.
jobjectArray to_java(JNIEnv* env, const std::vector<std::string>& texts);

/// Returns a Java string as UTF-8; half a surrogate pair without the other half becomes U+FFFD.
std::string to_string(JNIEnv* env, jstring text);

}  // namespace accelerant::jni
