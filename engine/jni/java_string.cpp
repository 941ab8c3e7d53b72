#include "jni/java_string.h"

#include <cstdint>
#include <new>
#include <vector>

namespace accelerant::jni {

namespace {

/// Reads the first code point of a text that is not empty and returns its length in bytes.
size_t decode_utf8(std::string_view text, uint32_t& code_point) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
  const uint32_t first = byte(0);
  const size_t length = first < 0x80   ? 1
                        : first < 0xc2 ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf5 ? 4
                                       : 0;
  code_point = 0xfffd;
  if (length == 0 || length > text.size()) return 1;
  uint32_t value = length == 1 ? first : first & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 1;
    value = value << 6 | (byte(i) & 0x3f);
  }
  code_point = value;
  return length;
}

}  // namespace

jstring to_java(JNIEnv* env, std::string_view text) {
  std::vector<jchar> units;
  while (!text.empty()) {
    uint32_t code_point = 0;
    const size_t length = decode_utf8(text, code_point);
    text.remove_prefix(length);
    if (code_point >= 0x10000) {
      units.push_back(static_cast<jchar>(0xd800 + ((code_point - 0x10000) >> 10)));
      code_point = 0xdc00 + ((code_point - 0x10000) & 0x3ff);
    }
    units.push_back(static_cast<jchar>(code_point));
  }
  return env->NewString(units.data(), static_cast<jsize>(units.size()));
}

std::string to_string(JNIEnv* env, jstring text) {
  const char* chars = env->GetStringUTFChars(text, nullptr);
  if (!chars) throw std::bad_alloc();
  std::string copy(chars);
  env->ReleaseStringUTFChars(text, chars);
  return copy;
}

}  // namespace accelerant::jni
