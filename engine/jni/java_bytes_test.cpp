#include "jni/java_bytes.h"

#include "jni/test_jvm.h"

#include <gtest/gtest.h>

namespace accelerant::jni {
namespace {

class JavaBytesTest : public test::JvmTest {
 protected:
  static jobject method_handle(const char* name, const char* signature, jobject first, jobject second) {
    const jclass handles = env()->FindClass("java/lang/invoke/MethodHandles");
    return env()->CallStaticObjectMethod(handles, env()->GetStaticMethodID(handles, name, signature), first, second);
  }
  /// Returns a supplier that calls a method handle.
  static jobject supplier_of(jobject handle) {
    const jclass proxies = env()->FindClass("java/lang/invoke/MethodHandleProxies");
    const jmethodID as_interface = env()->GetStaticMethodID(
        proxies, "asInterfaceInstance", "(Ljava/lang/Class;Ljava/lang/invoke/MethodHandle;)Ljava/lang/Object;");
    return env()->CallStaticObjectMethod(proxies, as_interface, env()->FindClass("java/util/function/Supplier"),
                                         handle);
  }
  static jobject supplier_of_bytes(const std::string& bytes) {
    return supplier_of(method_handle("constant", "(Ljava/lang/Class;Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;",
                                     env()->FindClass("[B"), byte_array(bytes)));
  }
  static jobject failing_supplier() {
    const jclass exception = env()->FindClass("java/lang/IllegalStateException");
    const jobject throwing =
        method_handle("throwException", "(Ljava/lang/Class;Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
                      env()->FindClass("[B"), exception);
    const jobject thrown = env()->NewObject(exception, env()->GetMethodID(exception, "<init>", "()V"));
    const jclass handles = env()->FindClass("java/lang/invoke/MethodHandles");
    const jmethodID insert = env()->GetStaticMethodID(
        handles, "insertArguments",
        "(Ljava/lang/invoke/MethodHandle;I[Ljava/lang/Object;)Ljava/lang/invoke/MethodHandle;");
    const jobjectArray arguments = env()->NewObjectArray(1, exception, thrown);
    return supplier_of(env()->CallStaticObjectMethod(handles, insert, throwing, jint{0}, arguments));
  }
};

TEST_F(JavaBytesTest, AreCopied) {
  const std::string bytes("a\0\xff", 3);
  const std::vector<uint8_t> copied = to_bytes(env(), byte_array(bytes));
  EXPECT_EQ(std::string(copied.begin(), copied.end()), bytes);
  EXPECT_TRUE(to_bytes(env(), byte_array("")).empty());
}

TEST_F(JavaBytesTest, ComeFromASupplier) {
  const auto supplied = supplied_bytes(env(), supplier_of_bytes("some bytes"));
  ASSERT_TRUE(supplied);
  EXPECT_EQ(std::string(supplied->begin(), supplied->end()), "some bytes");
}

TEST_F(JavaBytesTest, AreNoneWhereTheSupplierThrows) {
  const jobject supplier = failing_supplier();
  ASSERT_NE(supplier, nullptr);
  EXPECT_EQ(supplied_bytes(env(), supplier), std::nullopt);
  EXPECT_FALSE(env()->ExceptionCheck());
}

TEST_F(JavaBytesTest, AreNoneOfNoMessages) {
  EXPECT_EQ(env()->GetArrayLength(to_java(env(), std::vector<io::ArrowMessage>())), 0);
}

}  // namespace
}  // namespace accelerant::jni
