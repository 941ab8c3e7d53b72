#include "jni/java_call.h"

#include "jni/java_string.h"
#include "jni/test_jvm.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace accelerant::jni {
namespace {

class JavaCallTest : public test::JvmTest {
 protected:
  /// Returns what a check makes of an exception of Java's, as its kind and its message.
  static std::string checked(const char* type, const char* message) {
    const Frame frame;
    throw_new(type, message);
    try {
      frame.check();
      return "nothing";
    } catch (const Error& error) {
      return std::string(to_string(error.kind())) + " " + error.message();
    }
  }
  static std::string text_of(const Frame& frame, jobject object) {
    const jmethodID method = frame->GetMethodID(frame->GetObjectClass(object), "toString", "()Ljava/lang/String;");
    return to_string(frame.operator->(), static_cast<jstring>(frame->CallObjectMethod(object, method)));
  }
};

TEST_F(JavaCallTest, TurnsExceptionsIntoErrors) {
  EXPECT_EQ(checked("java/lang/IllegalStateException", "no \xc3\xbc here"),
            "RESOURCE java.lang.IllegalStateException: no \xc3\xbc here");
  EXPECT_EQ(checked("io/accelerant/spark/RevertException", "the rows changed"), "UNSUPPORTED the rows changed");
  EXPECT_FALSE(env()->ExceptionCheck());
}

TEST_F(JavaCallTest, DoesNothingWhereNothingWasThrown) {
  const Frame frame;
  EXPECT_NO_THROW(frame.check());
}

TEST_F(JavaCallTest, NamesAnExceptionWithoutAMessage) {
  const Frame frame;
  const jclass type = frame->FindClass("io/accelerant/spark/RevertException");
  const jmethodID constructor = frame->GetMethodID(type, "<init>", "(Ljava/lang/String;)V");
  frame->Throw(static_cast<jthrowable>(frame->NewObject(type, constructor, nullptr)));
  try {
    frame.check();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "a Java exception without a message");
  }
}

TEST_F(JavaCallTest, LetsThreadsOfOursIn) {
  std::string text;
  std::thread([&] {
    for (int i = 0; i < 2; ++i) {
      const Frame frame;
      text += text_of(frame, frame->NewStringUTF("from a thread;"));
    }
  }).join();
  EXPECT_EQ(text, "from a thread;from a thread;");
}

TEST_F(JavaCallTest, FreesLocalReferencesOfEachFrame) {
  const jobject outer = env()->NewStringUTF("outer");
  const jweak inner = [] {
    const Frame frame;
    return frame->NewWeakGlobalRef(frame->NewStringUTF("only of the frame"));
  }();
  const jclass system = env()->FindClass("java/lang/System");
  env()->CallStaticVoidMethod(system, env()->GetStaticMethodID(system, "gc", "()V"));
  EXPECT_TRUE(env()->IsSameObject(inner, nullptr));
  EXPECT_FALSE(env()->IsSameObject(outer, nullptr));
  env()->DeleteWeakGlobalRef(inner);
}

TEST_F(JavaCallTest, KeepsReferencesForAnyThread) {
  std::unique_ptr<GlobalReference> reference;
  {
    const Frame frame;
    reference = std::make_unique<GlobalReference>(frame, frame->NewStringUTF("kept"));
  }
  std::string text;
  std::thread([&] {
    {
      const Frame frame;
      text = text_of(frame, reference->get());
    }
    reference.reset();
  }).join();
  EXPECT_EQ(text, "kept");
}

}  // namespace
}  // namespace accelerant::jni
