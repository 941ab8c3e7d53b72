#include "jni/java_string.h"

#include "jni/test_jvm.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace accelerant::jni {
namespace {

using namespace std::string_literals;

const std::string kReplacement = "\xef\xbf\xbd";

class JavaStringTest : public test::JvmTest {
 protected:
  static jstring of_units(const std::vector<jchar>& units) {
    return env()->NewString(units.data(), static_cast<jsize>(units.size()));
  }
  /// Returns what Java makes of UTF-8.
  static jstring decoded(const std::string& utf8) {
    const jclass type = env()->FindClass("java/lang/String");
    const jmethodID constructor = env()->GetMethodID(type, "<init>", "([BLjava/lang/String;)V");
    return static_cast<jstring>(env()->NewObject(type, constructor, byte_array(utf8), env()->NewStringUTF("UTF-8")));
  }
  static bool is_equal(jstring lhs, jstring rhs) {
    const jmethodID equals = env()->GetMethodID(env()->GetObjectClass(lhs), "equals", "(Ljava/lang/Object;)Z");
    return env()->CallBooleanMethod(lhs, equals, rhs);
  }
};

TEST_F(JavaStringTest, AreUtf8OfAnyCodePoint) {
  const std::string texts[] = {""s,
                               "plain"s,
                               "a\0b"s,
                               "gr\u00fcn \u07ff \u0800 \uffff"s,
                               "\U00010000 \U0001f600 \U0010ffff"s,
                               "/data/\U0001f4c1/\u65e5\u672c"s};
  for (const std::string& text : texts) {
    EXPECT_EQ(to_string(env(), decoded(text)), text);
    EXPECT_EQ(utf8_of(to_java(env(), text)), text);
    EXPECT_TRUE(is_equal(to_java(env(), text), decoded(text)));
  }
}

TEST_F(JavaStringTest, AreJavasForEveryCodePoint) {
  std::vector<jchar> units;
  for (uint32_t unit = 0; unit <= 0xffff; ++unit) {
    if (unit < 0xd800 || unit >= 0xe000) units.push_back(static_cast<jchar>(unit));
  }
  for (uint32_t high = 0xd800; high < 0xdc00; ++high) {
    for (uint32_t low = 0xdc00; low < 0xe000; low += 13) {
      units.push_back(static_cast<jchar>(high));
      units.push_back(static_cast<jchar>(low));
    }
  }
  const jstring text = of_units(units);
  const std::string utf8 = to_string(env(), text);
  EXPECT_TRUE(utf8 == utf8_of(text));
  EXPECT_TRUE(is_equal(to_java(env(), utf8), text));
}

TEST_F(JavaStringTest, HaveReplacementsForHalfSurrogatePairs) {
  EXPECT_EQ(to_string(env(), of_units({0xd83d})), kReplacement);
  EXPECT_EQ(to_string(env(), of_units({0xde00, 'a'})), kReplacement + "a");
  EXPECT_EQ(to_string(env(), of_units({0xd83d, 'a'})), kReplacement + "a");
  EXPECT_EQ(to_string(env(), of_units({0xd83d, 0xd83d, 0xde00})), kReplacement + "\U0001f600");
}

TEST_F(JavaStringTest, HaveReplacementsForBytesThatAreNoUtf8) {
  const auto made_of = [](const std::string& bytes) { return utf8_of(to_java(env(), bytes)); };
  EXPECT_EQ(made_of("a\xff"
                    "b"),
            "a" + kReplacement + "b");
  EXPECT_EQ(made_of("\xe2\x82"), kReplacement + kReplacement);
  // Longer than it need be, half a pair, and beyond the last code point.
  const std::string wrong[] = {"\xc0\x80", "\xe0\x80\x80", "\xf0\x80\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"};
  for (const std::string& bytes : wrong) {
    std::string replaced;
    for (size_t i = 0; i < bytes.size(); ++i) replaced += kReplacement;
    EXPECT_EQ(made_of(bytes), replaced);
  }
}

TEST_F(JavaStringTest, ComeAsArrays) {
  const std::vector<std::string> texts = {"first", "", "\U0001f600"};
  const jobjectArray array = to_java(env(), texts);
  ASSERT_EQ(env()->GetArrayLength(array), 3);
  for (jsize i = 0; i < 3; ++i) {
    EXPECT_EQ(to_string(env(), static_cast<jstring>(env()->GetObjectArrayElement(array, i))),
              texts[static_cast<size_t>(i)]);
  }
  EXPECT_EQ(env()->GetArrayLength(to_java(env(), std::vector<std::string>())), 0);
}

}  // namespace
}  // namespace accelerant::jni
