#include "base/notices.h"
#include "jni/java_string.h"
#include "jni/test_jvm.h"

#include <gtest/gtest.h>

extern "C" jobjectArray Java_io_accelerant_spark_Native_takeNotices(JNIEnv* env, jclass type);

namespace accelerant::jni {
namespace {

class NativeTest : public test::JvmTest {
 protected:
  static std::vector<std::string> taken() {
    const jobjectArray array = Java_io_accelerant_spark_Native_takeNotices(env(), nullptr);
    std::vector<std::string> lines;
    for (jsize i = 0; i < env()->GetArrayLength(array); ++i) {
      lines.push_back(to_string(env(), static_cast<jstring>(env()->GetObjectArrayElement(array, i))));
    }
    return lines;
  }
};

TEST_F(NativeTest, TakesNoticesOnce) {
  take_notices();
  add_notice("a GPU is not used any more");
  add_notice("another line");
  EXPECT_EQ(taken(), (std::vector<std::string>{"a GPU is not used any more", "another line"}));
  EXPECT_TRUE(taken().empty());
}

}  // namespace
}  // namespace accelerant::jni
