#pragma once

#include "base/error.h"
#include "jni/java_bytes.h"
#include "jni/java_call.h"
#include "jni/java_error.h"

#include <gtest/gtest.h>
#include <jni.h>

#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <vector>

/// A JVM in the process of the tests, with the plugin's classes: only tests include this.
namespace accelerant::jni::test {

/// The JVM of the process, or why there is none.
struct Jvm {
  JNIEnv* env = nullptr;  ///< of the thread that started it
  std::string reason = {};
};

/// Starts the JVM whose library is open. It takes its course as the tests' process ends.
inline JNIEnv* create_jvm(void* library, const std::string& jar) {
  const auto create = reinterpret_cast<jint (*)(JavaVM**, void**, void*)>(dlsym(library, "JNI_CreateJavaVM"));
  std::string class_path = "-Djava.class.path=" + jar;
  char heap[] = "-Xmx128m";
  char collector[] = "-XX:+UseSerialGC";
  JavaVMOption options[] = {{class_path.data(), nullptr}, {heap, nullptr}, {collector, nullptr}};
  JavaVMInitArgs arguments{JNI_VERSION_10, std::size(options), options, JNI_FALSE};
  JavaVM* vm = nullptr;
  JNIEnv* env = nullptr;
  const bool is_created = create && create(&vm, reinterpret_cast<void**>(&env), &arguments) == JNI_OK;
  return is_created ? env : nullptr;
}

inline Jvm start_jvm() {
  const char* library = std::getenv("ACCELERANT_LIBJVM");
  const char* jar = std::getenv("ACCELERANT_JAR");
  if (!library || !jar) return {nullptr, "ACCELERANT_LIBJVM and ACCELERANT_JAR do not name libjvm.so and the jar"};
  void* opened = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
  if (!opened) return {nullptr, std::string("ACCELERANT_LIBJVM: ") + dlerror()};
  JNIEnv* env = create_jvm(opened, jar);
  if (!env) return {nullptr, std::string(library) + " starts no JVM"};
  if (load_error_class(env) && load_call_classes(env)) return {env};
  env->ExceptionClear();
  return {nullptr, std::string("ACCELERANT_JAR: ") + jar + " has not the plugin's classes"};
}

/// Returns the JVM, started when it is asked for first, by the thread of the tests.
inline const Jvm& jvm() {
  static const Jvm kStarted = start_jvm();
  return kStarted;
}

/// Tests that call into the JVM; skipped where there is none. Local references go with each test.
class JvmTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!jvm().env) GTEST_SKIP() << jvm().reason;
    ASSERT_EQ(env()->PushLocalFrame(64), JNI_OK);
  }
  void TearDown() override {
    if (!jvm().env) return;
    EXPECT_FALSE(env()->ExceptionCheck());
    env()->ExceptionClear();
    env()->PopLocalFrame(nullptr);
  }

  static JNIEnv* env() { return jvm().env; }

  /// Calls a method that returns an object.
  template <class... Arguments>
  static jobject call(jobject object, const char* method, const char* signature, Arguments... arguments) {
    const jmethodID id = env()->GetMethodID(env()->GetObjectClass(object), method, signature);
    return env()->CallObjectMethod(object, id, arguments...);
  }

  /// Returns what a call fails with, as its kind and its message.
  template <class Call>
  static std::string failure_of(const Call& call) {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_FALSE(env()->ExceptionCheck());
      return std::string(to_string(error.kind())) + " " + error.message();
    }
    return "nothing";
  }

  /// Returns what Java makes of a string in UTF-8.
  static std::string utf8_of(jstring text) {
    const jclass type = env()->GetObjectClass(text);
    const jmethodID method = env()->GetMethodID(type, "getBytes", "(Ljava/lang/String;)[B");
    const auto bytes =
        to_bytes(env(), static_cast<jbyteArray>(env()->CallObjectMethod(text, method, env()->NewStringUTF("UTF-8"))));
    return {bytes.begin(), bytes.end()};
  }

  static jbyteArray byte_array(const std::string& bytes) {
    const auto size = static_cast<jsize>(bytes.size());
    const jbyteArray array = env()->NewByteArray(size);
    env()->SetByteArrayRegion(array, 0, size, reinterpret_cast<const jbyte*>(bytes.data()));
    return array;
  }

  /// Takes the exception that is pending; nullptr: there is none.
  static jthrowable take_exception() {
    const jthrowable thrown = env()->ExceptionOccurred();
    env()->ExceptionClear();
    return thrown;
  }

  /// Throws a new exception of a class.
  static void throw_new(const char* type, const char* message) { env()->ThrowNew(env()->FindClass(type), message); }
};

}  // namespace accelerant::jni::test
