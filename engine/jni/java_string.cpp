#include "jni/java_string.h"

#include <cstdint>

namespace accelerant::jni {

namespace {

constexpr uint32_t kReplacement = 0xfffd;
constexpr uint32_t kFirstOfPairs = 0x10000;
constexpr uint32_t kLast = 0x10ffff;
constexpr uint32_t kHigh = 0xd800;  ///< the first units of pairs are those from here
constexpr uint32_t kLow = 0xdc00;   ///< the second ones
constexpr uint32_t kAfterLow = 0xe000;

bool is_in(uint32_t unit, uint32_t first, uint32_t end) { return unit >= first && unit < end; }

/// Returns the length of the sequence that a byte starts; 0 where it starts none.
size_t length_of(uint32_t first) {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

/// Says whether a code point is one that UTF-8 has in a sequence of this length.
bool is_valid(uint32_t code_point, size_t length) {
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, kFirstOfPairs};
  return code_point >= kLeast[length] && code_point <= kLast && !is_in(code_point, kHigh, kAfterLow);
}

/// Reads the first code point of a text that is not empty and returns its length in bytes.
size_t decode_utf8(std::string_view text, uint32_t& code_point) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
  const size_t length = length_of(byte(0));
  code_point = kReplacement;
  if (length == 0 || length > text.size()) return 1;
  uint32_t value = length == 1 ? byte(0) : byte(0) & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 1;
    value = value << 6 | (byte(i) & 0x3f);
  }
  if (!is_valid(value, length)) return 1;
  code_point = value;
  return length;
}

/// Reads the code point that begins at unit `at`, and moves on behind it.
uint32_t decode_utf16(const std::vector<jchar>& units, size_t& at) {
  const uint32_t unit = units[at++];
  if (!is_in(unit, kHigh, kAfterLow)) return unit;
  if (unit >= kLow || at == units.size() || !is_in(units[at], kLow, kAfterLow)) return kReplacement;
  return kFirstOfPairs + ((unit - kHigh) << 10) + (units[at++] - kLow);
}

void append_utf8(std::string& text, uint32_t code_point) {
  const auto add = [&](uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  const auto add_tail = [&](int shift) { add(0x80 | (code_point >> shift & 0x3f)); };
  if (code_point < 0x80) return add(code_point);
  if (code_point < 0x800) {
    add(0xc0 | code_point >> 6);
  } else if (code_point < kFirstOfPairs) {
    add(0xe0 | code_point >> 12);
    add_tail(6);
  } else {
    add(0xf0 | code_point >> 18);
    add_tail(12);
    add_tail(6);
  }
  add_tail(0);
}

}  // namespace

jstring to_java(JNIEnv* env, std::string_view text) {
  std::vector<jchar> units;
  units.reserve(text.size());
  while (!text.empty()) {
    uint32_t code_point = 0;
    const size_t length = decode_utf8(text, code_point);
    text.remove_prefix(length);
    if (code_point >= kFirstOfPairs) {
      units.push_back(static_cast<jchar>(kHigh + ((code_point - kFirstOfPairs) >> 10)));
      code_point = kLow + ((code_point - kFirstOfPairs) & 0x3ff);
    }
    units.push_back(static_cast<jchar>(code_point));
  }
  return env->NewString(units.data(), static_cast<jsize>(units.size()));
}

jobjectArray to_java(JNIEnv* env, const std::vector<std::string>& texts) {
  const jclass type = env->FindClass("java/lang/String");
  const jobjectArray array = type ? env->NewObjectArray(static_cast<jsize>(texts.size()), type, nullptr) : nullptr;
  for (size_t i = 0; array && i < texts.size(); ++i) {
    const jstring text = to_java(env, texts[i]);
    if (!text) return nullptr;
    env->SetObjectArrayElement(array, static_cast<jsize>(i), text);
    env->DeleteLocalRef(text);
  }
  return array;
}

std::string to_string(JNIEnv* env, jstring text) {
  std::vector<jchar> units(static_cast<size_t>(env->GetStringLength(text)));
  env->GetStringRegion(text, 0, static_cast<jsize>(units.size()), units.data());
  std::string copy;
  copy.reserve(units.size());
  for (size_t at = 0; at < units.size();) append_utf8(copy, decode_utf16(units, at));
  return copy;
}

}  // namespace accelerant::jni
