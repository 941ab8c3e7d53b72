#include "jni/java_bytes.h"

#include "jni/test_java_objects.h"

#include <gtest/gtest.h>

namespace accelerant::jni {
namespace {

class JavaBytesTest : public test::JavaObjectTest {
 protected:
  static jobject supplier_of(jobject get) { return object_of("java/util/function/Supplier", {{"get", get}}); }
};

TEST_F(JavaBytesTest, AreCopied) {
  const std::string bytes("a\0\xff", 3);
  const std::vector<uint8_t> copied = to_bytes(env(), byte_array(bytes));
  EXPECT_EQ(std::string(copied.begin(), copied.end()), bytes);
  EXPECT_TRUE(to_bytes(env(), byte_array("")).empty());
}

TEST_F(JavaBytesTest, ComeFromASupplier) {
  const auto supplied = supplied_bytes(env(), supplier_of(constant(byte_array("some bytes"))));
  ASSERT_TRUE(supplied);
  EXPECT_EQ(std::string(supplied->begin(), supplied->end()), "some bytes");
}

TEST_F(JavaBytesTest, AreNoneWhereTheSupplierThrows) {
  const jobject supplier = supplier_of(throwing("java/lang/IllegalStateException", "there are none"));
  ASSERT_NE(supplier, nullptr);
  EXPECT_EQ(supplied_bytes(env(), supplier), std::nullopt);
  EXPECT_FALSE(env()->ExceptionCheck());
}

TEST_F(JavaBytesTest, AreNoneOfNoMessages) {
  EXPECT_EQ(env()->GetArrayLength(to_java(env(), std::vector<io::ArrowMessage>())), 0);
}

}  // namespace
}  // namespace accelerant::jni
